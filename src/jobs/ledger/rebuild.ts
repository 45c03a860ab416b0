import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DB } from '../../entities/tables.ts';
import { StartError } from '../../rules/errors.ts';
import { DAYS, FIELD, WINDOWED_FOLLOW_UP } from './sum-tables.ts';
import { lockUntilCommit } from '../../entities/advisory-locks.ts';
import { lockFollowing } from './locks.ts';
import { move } from './move.ts';
import { type Move, movesBetween, type PlacedRound, placedRounds } from './moves.ts';
import { ANSWERS, streaksAfter, streaksOf } from './standing-statements.ts';
import { moveStandings } from './standings.ts';

/** The rounds that one statement adds up. */
const AT_ONCE = 200;

/** The tables of sums, and those of counts and places that follow from standings. */
const LEDGER = [
  'standings',
  'board_counts',
  'board_places',
  'kind_sums',
  'kind_boards',
  ...[FIELD, DAYS, ...WINDOWED_FOLLOW_UP].map(({ table }) => table),
] as const satisfies readonly (keyof DB)[];

/**
 * Empties the ledger and adds every resolved round again, if a migration requested it. Resolutions and amendments wait.
 * Follow-up work (resolve/after-resolution.ts) rebuilds the other sums.
 */
export async function rebuildLedger(
  newEm: () => SqlEntityManager,
  report: (table: string, rounds: number) => void,
): Promise<void> {
  if (await isDue(newEm())) await newEm().transactional((transaction) => rebuild(transaction, report));
}

async function isDue(em: SqlEntityManager): Promise<boolean> {
  const due = em.getKysely<DB>().selectFrom('platform').where('sums_due', '=', true).select('id');
  return (await due.execute()).length > 0;
}

async function rebuild(transaction: SqlEntityManager, report: (table: string, rounds: number) => void): Promise<void> {
  // In the order of amendments, so that neither waits for the other for ever.
  await lockUntilCommit(transaction, 'resolutions');
  await lockUntilCommit(transaction, 'counting');
  await lockFollowing(transaction);
  if (!(await isDue(transaction))) return;
  const tables = transaction.getKysely<DB>();
  const archived = await tables.selectFrom('rounds').select('id').where('archived', '=', true).limit(1).execute();
  if (archived.length > 0)
    throw new StartError(
      'A rebuild of the sums needs all predictions, but those of dropped months are in archives only.',
    );
  for (const table of LEDGER) await tables.deleteFrom(table).execute();
  await tables.updateTable('rounds').set({ kind_windows: 0 }).where('kind_windows', '<>', 0).execute();
  const rounds = [...(await placedRounds(transaction, 'all')).values()];
  for (let first = 0; first < rounds.length; first += AT_ONCE) {
    const some = rounds.slice(first, first + AT_ONCE);
    await move(transaction, FIELD, enter(some, 'windows'));
    await move(transaction, DAYS, enter(some, 'tallied'));
    report(`${FIELD.table}, ${DAYS.table}`, first + some.length);
  }
  await moveStandings(transaction, enter(rounds, 'windows'), streaksOf(streaksAfter(ANSWERS)), 'all');
  report('standings', rounds.length);
  // Late, since this row also counts events, and each event would wait for the commit.
  await tables.updateTable('platform').set({ sums_due: false }).execute();
}

function enter(rounds: readonly PlacedRound[], by: 'windows' | 'tallied'): readonly Move[] {
  return movesBetween(rounds.map((round) => ({ round, before: 0, after: round[by] })));
}
