import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { rows } from '../../reads/sql.ts';
import { PERIODS } from '../../rules/windows.ts';
import { type Dimension, type Entering, modelsOf } from './dimensions.ts';
import { counting, lockFollowing } from './locks.ts';
import type { Move } from './moves.ts';

/** Adds rounds to the sums of a dimension in the windows that they enter, and takes them out of those that they leave. */
export async function move(transaction: SqlEntityManager, dimension: Dimension, moves: readonly Move[]): Promise<void> {
  const kinds = Map.groupBy(moves, ({ sign, windows }) => {
    if (sign === -1) return 'leave';
    // A round that is counted for all time has its row already, which alone meets the checks of shorter windows.
    return windows.includes('alltime') || dimension.key.includes('period') ? 'enter' : 'return';
  });
  for (const kind of ['leave', 'return', 'enter'] as const) {
    const alike = kinds.get(kind);
    if (alike === undefined) continue;
    if (kind === 'enter') await insertSums(transaction, dimension, enteringOf(alike));
    else await updateSums(transaction, dimension, kind === 'leave' ? '-' : '+', enteringOf(alike));
  }
}

/** Takes the models that an operator hides or removes, those of rationales `w`, out of the sums that count their rounds. */
export async function forgetModels(transaction: SqlEntityManager, where: RawBuilder<unknown>): Promise<void> {
  await lockFollowing(transaction);
  const counted = PERIODS.map((period, place) => sql`(r.kind_windows >> ${sql.lit(place)}) & 1 as ${sql.ref(period)}`);
  const named = sql`array(select w.round_id from rationales w where ${where})`;
  const isAmong = (column: string) => sql`${sql.ref(column)} = any(${named})`;
  const signs = sql`select r.id as round_id, ${sql.join(counted)} from rounds r where ${isAmong('r.id')}`;
  await updateSums(transaction, modelsOf(where), '-', { signs, isAmong });
}

/**
 * Waits for submissions that are storing words, and lets none store any before the transaction ends: the next ones then see what it
 * has made of their agents. Call it before rows of agents are locked: an amendment, too, which this waits for, has the sums first.
 */
export async function lockWords(transaction: SqlEntityManager): Promise<void> {
  await counting(transaction, () => rows(transaction)`lock table model_sums, rationales in share row exclusive mode`);
}

async function insertSums(
  transaction: SqlEntityManager,
  { table, key, sums, added }: Dimension,
  entering: Entering,
): Promise<void> {
  const [names, keys] = [sql.raw([...key, ...sums].join(', ')), sql.raw(key.join(', '))];
  const updates = sql.raw(sums.map((sum) => `${sum} = t.${sum} + excluded.${sum}`).join(', '));
  await rows(transaction)`
    insert into ${sql.table(table)} as t (${names}) select ${names} from (${added(entering)}) c order by ${keys}
    on conflict (${keys}) do update set ${updates}`;
}

/** Changes rows that are there: one that adds up nothing more is removed. */
async function updateSums(
  transaction: SqlEntityManager,
  { table, key, sums, count, added }: Dimension,
  operator: '+' | '-',
  entering: Entering,
): Promise<void> {
  const isSame = sql.raw(key.map((column) => `t.${column} = c.${column}`).join(' and '));
  const updates = sql.raw(sums.map((sum) => `${sum} = t.${sum} ${operator} c.${sum}`).join(', '));
  const isEmpty = sql.raw(`t.${count} ${operator} c.${count} = 0`);
  await rows(transaction)`
    with c as materialized (${added(entering)}),
    gone as (delete from ${sql.table(table)} t using c where ${isSame} and ${isEmpty})
    update ${sql.table(table)} t set ${updates} from c where ${isSame} and not (${isEmpty})`;
}

function enteringOf(moves: readonly Move[]): Entering {
  const ids = [...new Set(moves.flatMap(({ rounds }) => rounds.map(({ id }) => id)))];
  const columns = PERIODS.map((period) => {
    const moving = moves.filter(({ windows }) => windows.includes(period)).flatMap(({ rounds }) => rounds);
    const found = new Set(moving.map(({ id }) => id));
    return sql`${ids.map((id) => Number(found.has(id)))}::int[]`;
  });
  const [only] = ids;
  return {
    signs: sql`select * from unnest(${ids}::int[], ${sql.join(columns)}) as g(round_id, ${sql.raw(PERIODS.join(', '))})`,
    isAmong: (column) =>
      ids.length === 1 ? sql`${sql.ref(column)} = ${only}::int` : sql`${sql.ref(column)} = any(${ids}::int[])`,
  };
}
