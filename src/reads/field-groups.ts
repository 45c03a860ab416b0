import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, type Expression, type SqlBool } from 'kysely';

import { EVERY_DAY, NO_DIMENSION } from '../entities/daily-tally.ts';
import type { DB } from '../entities/tables.ts';
import { type BreakdownSums, type Dimension, KEPT_DIMENSIONS, SHOWN_MODELS } from '../rules/breakdowns.ts';
import { DAY, HOUR } from '../rules/hours.ts';
import { GROUP_SUMS, type GroupSum } from '../rules/sums.ts';
import { type Period, WINDOW_LENGTHS } from '../rules/windows.ts';
import { wholeTimes } from './fragments.ts';
import { beforeNewestEnd } from './rounds.ts';

/** Whole UTC days: a window back from the day of the newest resolved round, or a range, open where an end is null. */
export type DayRange = { readonly window: Period } | { readonly from: Date | null; readonly to: Date | null };

/** Predictions with equal values of one or two dimensions, and their sums. */
export interface SummedGroup {
  readonly values: readonly string[];
  readonly sums: BreakdownSums;
}

export const SUM_COLUMNS = Object.values(GROUP_SUMS).map(({ column }) => column);

type Group = Readonly<Record<GroupSum['column'], string | number | bigint>> & {
  readonly first: string | null;
  readonly second: string | null;
};

/** The groups of all agents, from tallies by day; those of all days do not grow with history. */
export async function fieldGroups(
  em: SqlEntityManager,
  by: readonly Dimension[],
  days: DayRange,
): Promise<readonly SummedGroup[]> {
  const [first, second = NO_DIMENSION] = KEPT_IN_ORDER.filter((one) => by.includes(one));
  if (first === undefined) return [];
  const isSwapped = second !== NO_DIMENSION && first !== by[0];
  const found = await em
    .getKysely<DB>()
    .selectFrom('daily_tallies')
    .where('first_dimension', '=', first)
    .where('second_dimension', '=', second)
    .where(is.and(dayConditions(days)))
    .groupBy(['first_value', 'second_value'])
    .select(['first_value as first', 'second_value as second'])
    .select(({ fn }) => SUM_COLUMNS.map((name) => fn.sum(name).as(name)))
    .execute();
  return found.map((group) => {
    const { values, sums } = summedGroup(group, by);
    return { values: isSwapped ? values.toReversed() : values, sums };
  });
}

/** The models that predictions name most in a window, from kept sums. */
export async function modelGroups(em: SqlEntityManager, period: Period): Promise<readonly SummedGroup[]> {
  const sums = em.getKysely<DB>().selectFrom('model_sums').where('period', '=', period);
  const most = sums.orderBy('n', 'desc').orderBy('model').limit(SHOWN_MODELS);
  const found = await most.select(['model as first', is.lit(null).as('second'), ...SUM_COLUMNS]).execute();
  return found.map((group) => summedGroup(group, ['MODEL']));
}

/** A pair of dimensions is kept once, in the order of their names. */
const KEPT_IN_ORDER = KEPT_DIMENSIONS.toSorted();

const is = expressionBuilder<DB, 'daily_tallies'>();

function dayConditions(days: DayRange): readonly Expression<SqlBool>[] {
  if ('window' in days) {
    const length = WINDOW_LENGTHS[days.window];
    if (length === null) return [is('day', '=', EVERY_DAY)];
    return [is('day', '>', is(dayNumber(beforeNewestEnd(HOUR)), '-', is.lit(length / DAY)))];
  }
  const { from, to } = days;
  if (from === null && to === null) return [is('day', '=', EVERY_DAY)];
  return [
    from === null ? is('day', '>', EVERY_DAY) : is('day', '>=', Math.floor(from.getTime() / DAY)),
    ...(to === null ? [] : [is('day', '<', Math.floor(to.getTime() / DAY))]),
  ];
}

/** The UTC day of a time, counted from 1970. */
export function dayNumber(time: Expression<unknown>): Expression<number> {
  return wholeTimes(time, DAY);
}

/** The group of a row. */
export function summedGroup(group: Group, by: readonly Dimension[]): SummedGroup {
  const sum = (name: keyof typeof GROUP_SUMS): number => Number(group[GROUP_SUMS[name].column]);
  const n = sum('n');
  const sums = {
    n,
    hits: sum('hits'),
    confidence: { n, sum: sum('confidence') / 100, squareSum: sum('confidenceSquares') / 10_000 },
    brier: { n, sum: sum('brier'), squareSum: sum('brierSquares') },
    gain: { n, sum: sum('reference') - sum('brier'), squareSum: sum('gainSquares') },
    referenceSum: sum('reference'),
    edge: { n: sum('edges'), sum: sum('edge'), squareSum: sum('edgeSquares') },
    pnlUsd: { n, sum: sum('pnl'), squareSum: sum('pnlSquares') },
  };
  return { values: [group.first ?? '', group.second ?? ''].slice(0, by.length), sums };
}
