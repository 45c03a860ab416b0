import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, sql } from 'kysely';

import { lockUntilCommit } from '../../entities/advisory-locks.ts';
import type { DB } from '../../entities/tables.ts';
import { rows } from '../../reads/sql.ts';
import { PERIODS } from '../../rules/windows.ts';
import { anyOf } from '../../reads/fragments.ts';
import { unnested } from '../../reads/table-functions.ts';
import { modelsOf, type MovedRounds, type SumTable } from './sum-tables.ts';
import { lockFollowing, lockTables } from './locks.ts';
import type { Move } from './moves.ts';

const eb = expressionBuilder<DB & { r: DB['rounds']; w: DB['rationales'] }, 'r' | 'w'>();

/** Adds rounds to a table of sums in the windows that they enter, and subtracts them in those that they leave. */
export async function move(transaction: SqlEntityManager, sumTable: SumTable, moves: readonly Move[]): Promise<void> {
  const isByWindow = sumTable.key.some((column) => column === 'period');
  const byChange = Map.groupBy(moves, ({ sign, windows }) => {
    if (sign === -1) return 'leave';
    // A round that is counted for all time has its row already, which alone meets the checks of shorter windows.
    return windows.includes('alltime') || isByWindow ? 'enter' : 'return';
  });
  for (const change of ['leave', 'return', 'enter'] as const) {
    const alike = byChange.get(change);
    if (alike === undefined) continue;
    if (change === 'enter') await insertSums(transaction, sumTable, movedRoundsOf(alike));
    else await updateSums(transaction, sumTable, change === 'leave' ? '-' : '+', movedRoundsOf(alike));
  }
}

/** Subtracts the models that an agent named, in one round or in all, from the sums that count these rounds. */
export async function forgetModels(transaction: SqlEntityManager, agentId: number, roundId?: number): Promise<void> {
  await lockFollowing(transaction);
  const where = eb.and({ 'w.agent_id': agentId, ...(roundId === undefined ? {} : { 'w.round_id': roundId }) });
  const named = eb.selectFrom('rationales as w').where(where).select('w.round_id');
  const isAmong = (column: Expression<number>) => eb(column, '=', eb.fn.any(eb.fn<number[]>('array', [named])));
  const bit = (place: number) => eb(eb.parens('r.kind_windows', '>>', eb.lit(place)), '&', eb.lit(1));
  const counted = [eb.ref('r.id').as('round_id'), ...PERIODS.map((period, place) => bit(place).as(period))];
  const signs = eb
    .selectFrom('rounds as r')
    .select(counted)
    .where(isAmong(eb.ref('r.id')));
  await updateSums(transaction, modelsOf(where), '-', { signs: signs.as('g'), isAmong });
}

/**
 * Waits for submissions that store rationales, and blocks others until the transaction ends: these then read what it has
 * changed of their agents. Call it before rows of agents are locked: an amendment, which this waits for, locks the sums first.
 */
export async function lockWords(transaction: SqlEntityManager): Promise<void> {
  await lockUntilCommit(transaction, 'counting', { isShared: true });
  await lockTables(transaction, 'model_sums', 'rationales');
}

async function insertSums(
  transaction: SqlEntityManager,
  { table, key, sums, added }: SumTable,
  moved: MovedRounds,
): Promise<void> {
  const [names, keys] = [sql.raw([...key, ...sums].join(', ')), sql.raw(key.join(', '))];
  const updates = sql.raw(sums.map((sum) => `${sum} = t.${sum} + excluded.${sum}`).join(', '));
  await rows(transaction)`
    insert into ${sql.table(table)} as t (${names}) select ${names} from (${added(moved)}) c order by ${keys}
    on conflict (${keys}) do update set ${updates}`;
}

/** Changes rows that exist, and deletes those that add up nothing any more. */
async function updateSums(
  transaction: SqlEntityManager,
  { table, key, sums, count, added }: SumTable,
  operator: '+' | '-',
  moved: MovedRounds,
): Promise<void> {
  const isSame = sql.raw(key.map((column) => `t.${column} = c.${column}`).join(' and '));
  const updates = sql.raw(sums.map((sum) => `${sum} = t.${sum} ${operator} c.${sum}`).join(', '));
  const isEmpty = sql.raw(`t.${count} ${operator} c.${count} = 0`);
  await rows(transaction)`
    with c as materialized (${added(moved)}),
    gone as (delete from ${sql.table(table)} t using c where ${isSame} and ${isEmpty})
    update ${sql.table(table)} t set ${updates} from c where ${isSame} and not (${isEmpty})`;
}

function movedRoundsOf(moves: readonly Move[]): MovedRounds {
  const ids = [...new Set(moves.flatMap(({ rounds }) => rounds.map(({ id }) => id)))];
  const columns = PERIODS.map((period) => {
    const moving = moves.filter(({ windows }) => windows.includes(period)).flatMap(({ rounds }) => rounds);
    const found = new Set(moving.map(({ id }) => id));
    return [period, [ids.map((id) => Number(found.has(id))), 'int']] as const;
  });
  const [first, ...others] = ids;
  return {
    signs: unnested('g', { round_id: [ids, 'int'], ...Object.fromEntries(columns) }),
    isAmong: (column) =>
      first !== undefined && others.length === 0 ? eb(column, '=', first) : eb(column, '=', anyOf(ids)),
  };
}
