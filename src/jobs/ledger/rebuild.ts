import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { SCORES } from '../../reads/scores.ts';
import { rows } from '../../reads/sql.ts';
import { DAYS, FIELD, FOLLOWING } from './dimensions.ts';
import { lockCounting, lockFollowing, lockResolutions } from './locks.ts';
import { move } from './move.ts';
import { ALL_TIME, type Move, movesBetween, type PlacedRound, placedRounds } from './moves.ts';
import { streaksIn, streaksOf } from './standing-statements.ts';
import { moveStandings } from './standings.ts';

/** The rounds that one statement adds up. */
const AT_ONCE = 200;

/** The tables that hold sums of scores, and the counts and places that follow from standings. */
const LEDGER = [
  'standings',
  'board_counts',
  'board_places',
  'kind_sums',
  'kind_boards',
  ...[FIELD, DAYS, ...FOLLOWING].map(({ table }) => table),
];

const STREAKS = sql`(
  select agent_id, (array_agg(streak order by decided_at desc, round_id desc))[1] as current, max(streak) as best
  from (${streaksIn(sql`(
    select s.agent_id, s.round_id, s.is_correct, r.decided_at from ${SCORES} s join rounds r on r.id = s.round_id
  ) a`)}) all_streaks group by agent_id)`;

/**
 * Adds up all scores anew where a migration asks for it: an empty ledger, which every resolved round enters. Resolutions
 * and amendments wait for it. What follows resolutions is counted again by itself.
 */
export async function rebuildLedger(
  newEm: () => SqlEntityManager,
  report: (table: string, rounds: number) => void,
): Promise<void> {
  const due = await rows(newEm())`select from platform where sums_due`;
  if (due.length > 0) await newEm().transactional((transaction) => rebuild(transaction, report));
}

async function rebuild(transaction: SqlEntityManager, report: (table: string, rounds: number) => void): Promise<void> {
  await lockCounting(transaction);
  await lockResolutions(transaction);
  await lockFollowing(transaction);
  const due = await rows(transaction)`update platform set sums_due = false where sums_due returning id`;
  if (due.length === 0) return;
  for (const table of LEDGER) await rows(transaction)`delete from ${sql.table(table)}`;
  await rows(transaction)`update rounds set kind_windows = 0 where kind_windows <> 0`;
  const rounds = [...(await placedRounds(transaction, 'all')).values()];
  for (let first = 0; first < rounds.length; first += AT_ONCE) {
    const some = rounds.slice(first, first + AT_ONCE);
    await move(
      transaction,
      FIELD,
      enter(some, ({ windows }) => windows),
    );
    await move(
      transaction,
      DAYS,
      enter(some, ({ isTallied }) => (isTallied ? ALL_TIME : 0)),
    );
    report(`${FIELD.table}, ${DAYS.table}`, first + some.length);
  }
  await moveStandings(
    transaction,
    enter(rounds, ({ windows }) => windows),
    streaksOf(STREAKS),
  );
  report('standings', rounds.length);
}

function enter(rounds: readonly PlacedRound[], windowsOf: (round: PlacedRound) => number): readonly Move[] {
  return movesBetween(rounds.map((round) => ({ round, before: 0, after: windowsOf(round) })));
}
