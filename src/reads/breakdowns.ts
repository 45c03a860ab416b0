import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { EVERY_DAY, NO_DIMENSION } from '../entities/daily-tally.ts';
import { type BreakdownSums, type Dimension, DIMENSIONS } from '../rules/breakdowns.ts';
import { DAY, SECOND } from '../rules/hours.ts';
import { type Period, WINDOW_LENGTHS } from '../rules/windows.ts';
import { leadBucket, SUMS, type SumName } from './breakdown-sql.ts';
import { every, rows } from './sql.ts';

/** Whole UTC days: back from that of the newest resolved round, or between two beginnings of days, either of which may lack. */
export type Days = { readonly window: Period } | { readonly from: Date | null; readonly to: Date | null };

/** Predictions that have the values of one or two dimensions in common, and what they add up to. */
export interface SummedGroup {
  readonly values: readonly string[];
  readonly sums: BreakdownSums;
}

type Group = Readonly<Record<SumName, string | number>> & { readonly first: string; readonly second: string | null };

/** The groups of the whole field, from the tallies that are kept by days: those of all days are flat in history. */
export async function fieldGroups(
  em: SqlEntityManager,
  by: readonly Dimension[],
  days: Days,
): Promise<readonly SummedGroup[]> {
  const [first, second = NO_DIMENSION] = DIMENSIONS_IN_ORDER.filter((one) => by.includes(one));
  const isSwapped = second !== NO_DIMENSION && first !== by[0];
  const found = await rows<Group>(em)`
    select first_value as first, second_value as second, ${eachSum((name) => sql`sum(${name}) as ${name}`)}
    from daily_tallies where first_dimension = ${first} and second_dimension = ${second} and ${every(dayConditions(days))}
    group by first_value, second_value`;
  return found.map((group) => {
    const values = [group.first, group.second ?? ''].slice(0, by.length);
    return { values: isSwapped ? values.toReversed() : values, sums: sumsOf(group) };
  });
}

/** Pairs are kept once, in the order of their names. */
const DIMENSIONS_IN_ORDER = DIMENSIONS.toSorted();

function dayConditions(days: Days): readonly RawBuilder<unknown>[] {
  if ('window' in days) {
    const length = WINDOW_LENGTHS[days.window];
    if (length === null) return [sql`day = ${EVERY_DAY}`];
    return [sql`day > ${dayNumber(NEWEST_START)} - ${length / DAY}::int`];
  }
  const { from, to } = days;
  if (from === null && to === null) return [sql`day = ${EVERY_DAY}`];
  return [
    from === null ? sql`day > ${EVERY_DAY}` : sql`day >= ${dayNumber(sql`${from}::timestamptz`)}`,
    ...(to === null ? [] : [sql`day < ${dayNumber(sql`${to}::timestamptz`)}`]),
  ];
}

/** The start of the newest resolved round. */
const NEWEST_START = sql`(select newest_resolved_end - interval '1 hour' from platform where id = 1)`;

function dayNumber(time: RawBuilder<unknown>): RawBuilder<number> {
  return sql`floor(extract(epoch from ${time}) / ${DAY / SECOND})::int`;
}

/** The groups of one agent, from its own record: one statement, whose cost follows that alone. */
export async function agentGroups(
  em: SqlEntityManager,
  by: readonly Dimension[],
  { agentId, days }: { readonly agentId: number; readonly days: Days },
): Promise<readonly SummedGroup[]> {
  const [first = sql`''`, second = sql`null`] = by.map((dimension) => VALUES[dimension]);
  const assets = by.includes('ASSET') ? sql`join round_assets d on d.round_id = r.id` : sql``;
  const picks = by.some((one) => one === 'LEAD_TIME' || one === 'ANSWER')
    ? sql`join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id`
    : sql``;
  const found = await rows<Group>(em)`
    select ${first} as first, ${second} as second,
      ${eachSum((name, sum) => sql`${sum} as ${name}`)}
    from scores s join rounds r on r.id = s.round_id ${assets} ${picks}
    where s.agent_id = ${agentId} and ${every(roundConditions(days))}
    group by 1, 2`;
  return found.map((group) => ({
    values: [group.first, group.second ?? ''].slice(0, by.length),
    sums: sumsOf(group),
  }));
}

const VALUES: Readonly<Record<Dimension, RawBuilder<unknown>>> = {
  QUESTION_TYPE: sql`r.question_type`,
  ASSET: sql`d.asset`,
  HOUR_OF_DAY: sql`to_char(r.start_time at time zone 'UTC', 'HH24')`,
  WEEKDAY: sql`to_char(r.start_time at time zone 'UTC', 'ID')`,
  LEAD_TIME: leadBucket(sql`r.end_time - p.submitted_at`),
  ANSWER: sql`p.prediction`,
};

function roundConditions(days: Days): readonly RawBuilder<unknown>[] {
  if ('window' in days) {
    const length = WINDOW_LENGTHS[days.window];
    if (length === null) return [];
    const first = sql`date_trunc('day', ${NEWEST_START}, 'UTC') - make_interval(secs => ${(length - DAY) / SECOND})`;
    return [sql`r.start_time >= ${first}`];
  }
  const { from, to } = days;
  return [
    ...(from === null ? [] : [sql`r.start_time >= ${from}`]),
    ...(to === null ? [] : [sql`r.start_time < ${to}`]),
  ];
}

function eachSum(
  of: (name: RawBuilder<unknown>, sum: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(Object.entries(SUMS).map(([name, sum]) => of(sql.ref(name), sum)));
}

function sumsOf(group: Group): BreakdownSums {
  const sum = (name: SumName): number => Number(group[name]);
  const n = sum('n');
  return {
    n,
    hits: sum('hits'),
    confidence: { n, sum: sum('confidence_sum') / 100, squareSum: sum('confidence_squares') / 10_000 },
    brier: { n, sum: sum('brier_sum'), squareSum: sum('brier_squares') },
    gain: { n, sum: sum('reference_sum') - sum('brier_sum'), squareSum: sum('gain_squares') },
    referenceSum: sum('reference_sum'),
    edge: { n: sum('edge_n'), sum: sum('edge_sum'), squareSum: sum('edge_squares') },
    pnlUsd: { n, sum: sum('pnl_sum'), squareSum: sum('pnl_squares') },
  };
}
