import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { EVERY_DAY, NO_DIMENSION } from '../entities/daily-tally.ts';
import {
  BROKEN_DOWN_AGENTS,
  type BreakdownSums,
  type Dimension,
  KEPT_DIMENSIONS,
  LEAD_BUCKETS,
  SHOWN_MODELS,
} from '../rules/breakdowns.ts';
import { DAY, HOUR, SECOND } from '../rules/hours.ts';
import { GROUP_FIGURES, GROUP_SUMS, type GroupFigure, type GroupSum } from '../rules/sums.ts';
import { type Period, WINDOW_LENGTHS } from '../rules/windows.ts';
import { byAlias } from './plan/by-alias.ts';
import { every, rows } from './sql.ts';
import { SCORES } from './scores.ts';

/** Whole UTC days: back from that of the newest resolved round, or between two beginnings of days, either of which may lack. */
export type Days = { readonly window: Period } | { readonly from: Date | null; readonly to: Date | null };

/** Predictions that have the values of one or two dimensions in common, and what they add up to. */
export interface SummedGroup {
  readonly values: readonly string[];
  readonly sums: BreakdownSums;
}

type Group = Readonly<Record<GroupSum['column'], string | number>> & {
  readonly first: string;
  readonly second: string | null;
};

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
    const { values, sums } = summed(group, by);
    return { values: isSwapped ? values.toReversed() : values, sums };
  });
}

/** The models that the field names most in a window, from their sums, which do not grow with history. */
export async function modelGroups(em: SqlEntityManager, period: Period): Promise<readonly SummedGroup[]> {
  const found = await rows<Group>(em)`
    select model as first, null as second, ${eachSum((name) => name)} from model_sums
    where period = ${period} order by n desc, model limit ${SHOWN_MODELS}`;
  return found.map((group) => summed(group, ['MODEL']));
}

/** Pairs are kept once, in the order of their names. */
const DIMENSIONS_IN_ORDER = KEPT_DIMENSIONS.toSorted();

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

const NEWEST_START = sql`(select newest_resolved_end - interval '1 hour' from platform where id = 1)`;

function dayNumber(time: RawBuilder<unknown>): RawBuilder<number> {
  return sql`floor(extract(epoch from ${time}) / ${DAY / SECOND})::int`;
}

/** The groups of one agent, or of the first of a window's board, from their own records: one statement, whose cost follows these alone. */
export async function agentGroups(
  em: SqlEntityManager,
  by: readonly Dimension[],
  { agents, days }: { readonly agents: number | { readonly leadersOf: Period }; readonly days: Days },
): Promise<readonly SummedGroup[]> {
  const [first = sql`''`, second = sql`null`] = by.map((dimension) => SHOWN[dimension]);
  const groups = sql.join(by.map((dimension) => GROUPED[dimension]));
  const whose =
    typeof agents === 'number'
      ? sql`s.agent_id = ${agents}`
      : sql`s.agent_id = any(array(
          select agent_id from board_places where period = ${agents.leadersOf} and position <= ${BROKEN_DOWN_AGENTS}))`;
  const own = ownScores(by, [whose, ...roundConditions(days), ...mostNamed(by, agents)]);
  const statement = by.includes('ASSET')
    ? rows<Group>(em)`
        select ${first} as first, ${second} as second, ${eachSum((name) => sql`sum(f.${name}) as ${name}`)}
        from ${byQuestion(by, own)} f join round_assets d on d.round_id = f.round_id group by ${groups}`
    : rows<Group>(em)`
        select ${first} as first, ${second} as second, ${eachSum((name, sum) => sql`${sum} as ${name}`)}
        from ${own} f group by ${groups}`;
  return (await statement).map((group) => summed(group, by));
}

/** The figures of scores, each worked out once and not in every sum that it is in, beside what they are grouped by. */
function ownScores(by: readonly Dimension[], conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const picks = by.some((one) => one === 'LEAD_TIME' || one === 'ANSWER')
    ? sql`join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id`
    : sql``;
  const words = by.includes('MODEL')
    ? sql`join rationales w on w.round_id = s.round_id and w.agent_id = s.agent_id and w.hidden_at is null`
    : sql``;
  const values = by.map((dimension) => VALUES[dimension]);
  return sql`(
    select ${sql.join([sql`s.round_id`, SCORE_COLUMNS, ...values])}
    from ${SCORES} s join rounds r on r.id = s.round_id ${picks} ${words} where ${every(conditions)} offset 0)`;
}

/** An agent may name another model each time: those that it names most. */
function mostNamed(by: readonly Dimension[], agents: number | object): readonly RawBuilder<unknown>[] {
  if (!by.includes('MODEL') || typeof agents === 'object') return [];
  return [
    sql`w.model = any(array(
    select model from rationales where agent_id = ${agents} and hidden_at is null and model is not null
    group by model order by count(*) desc, model limit ${SHOWN_MODELS}))`,
  ];
}

/**
 * Sums by what the questions were about, since eight assets would add each figure up eight times: rounds of one type with
 * the same subject and choices have the same assets (`src/rules/questions/asking.ts`), those of any one of them.
 */
function byQuestion(by: readonly Dimension[], own: RawBuilder<unknown>): RawBuilder<unknown> {
  const others = by.filter((dimension) => dimension !== 'ASSET').map((dimension) => GROUPED[dimension]);
  const groups = sql.join([sql`f.asked`, sql`f.subject`, sql`f.choices`, ...others]);
  return sql`(
    select max(f.round_id) as round_id, ${sql.join([...others, eachSum((name, sum) => sql`${sum} as ${name}`)])}
    from ${own} f group by ${groups})`;
}

const { r, p, s, w } = byAlias({ r: 'rounds', p: 'predictions', s: 'scores', w: 'rationales' });

/** What a round or a prediction of it shows of a dimension, as columns of `f`. */
const VALUES: Readonly<Record<Dimension, RawBuilder<unknown>>> = {
  QUESTION_TYPE: r('question_type'),
  ASSET: sql`r.question_type as asked, r.subject, r.choices`,
  HOUR_OF_DAY: sql`(extract(epoch from r.start_time)::int8 / ${HOUR / SECOND}) % 24 as hour`,
  WEEKDAY: sql`extract(isodow from r.start_time at time zone 'UTC') as weekday`,
  LEAD_TIME: sql`${leadBucket(sql`r.end_time - p.submitted_at`)} as lead`,
  ANSWER: p('prediction'),
  AGENT: s('agent_id'),
  MODEL: w('model'),
};

/** The column that scores are grouped by, and the words for it, which only groups need. */
const GROUPED: Readonly<Record<Dimension, RawBuilder<unknown>>> = {
  QUESTION_TYPE: sql`f.question_type`,
  ASSET: sql`d.asset`,
  HOUR_OF_DAY: sql`f.hour`,
  WEEKDAY: sql`f.weekday`,
  LEAD_TIME: sql`f.lead`,
  ANSWER: sql`f.prediction`,
  AGENT: sql`f.agent_id`,
  MODEL: sql`f.model`,
};

const SHOWN: Readonly<Record<Dimension, RawBuilder<unknown>>> = {
  ...GROUPED,
  HOUR_OF_DAY: sql`to_char(f.hour, 'FM00')`,
  WEEKDAY: sql`f.weekday::text`,
  AGENT: sql`(select name from agents where id = f.agent_id)`,
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

/** A list with something of each of the sums. */
export function eachSum(
  of: (name: RawBuilder<unknown>, sum: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(Object.values(GROUP_SUMS).map((sum) => of(sql.ref(sum.column), totalled(sum))));
}

function totalled(sum: GroupSum): RawBuilder<unknown> {
  if ('counts' in sum) return sql`count(*) filter (where ${CONDITIONS[sum.counts]})`;
  const name = 'sum' in sum ? sum.sum : sum.squares;
  const [figure, digits] = [FIGURES[name], GROUP_FIGURES[name]];
  const [added, scale] = 'sum' in sum ? [figure, digits] : [sql`${figure} * ${figure}`, 2 * digits];
  return scale === 0 ? sql`sum(${added})` : sql`coalesce(sum(${added}) * ${sql.raw((10 ** -scale).toFixed(scale))}, 0)`;
}

function summed(group: Group, by: readonly Dimension[]): SummedGroup {
  const of = (name: keyof typeof GROUP_SUMS): number => Number(group[GROUP_SUMS[name].column]);
  const n = of('n');
  const sums = {
    n,
    hits: of('hits'),
    confidence: { n, sum: of('confidence') / 100, squareSum: of('confidenceSquares') / 10_000 },
    brier: { n, sum: of('brier'), squareSum: of('brierSquares') },
    gain: { n, sum: of('reference') - of('brier'), squareSum: of('gainSquares') },
    referenceSum: of('reference'),
    edge: { n: of('edges'), sum: of('edge'), squareSum: of('edgeSquares') },
    pnlUsd: { n, sum: of('pnl'), squareSum: of('pnlSquares') },
  };
  return { values: [group.first, group.second ?? ''].slice(0, by.length), sums };
}

/**
 * What breakdowns are made of, of one score `s`: columns of a subquery `f`, whole numbers of a unit, which are
 * cheaper to add up than decimals.
 */
export const SCORE_COLUMNS: RawBuilder<unknown> = sql`s.is_correct as hit, s.confidence,
  (s.brier * 10000)::int4 as brier, (s.reference_brier * 1000000)::int8 as reference,
  (s.pnl_usd * 100)::int8 as cents, s.edge_millionths::int8 as edge`;

/** Each figure `f` in whole units. */
const FIGURES: Readonly<Record<GroupFigure, RawBuilder<unknown>>> = {
  confidence: sql`f.confidence`,
  brier: sql`f.brier`,
  reference: sql`f.reference`,
  gain: sql`(f.reference - 100 * f.brier)`,
  pnl: sql`f.cents`,
  edge: sql`f.edge`,
};

const CONDITIONS = { scored: sql`true`, correct: sql`f.hit`, withEdge: sql`f.edge is not null` };

/** The name of the bucket that a lead time lies in. */
export function leadBucket(lead: RawBuilder<unknown>): RawBuilder<string> {
  const cases = LEAD_BUCKETS.map(
    ({ name, fromMinutes }) => sql`when ${lead} >= make_interval(mins => ${fromMinutes}::int) then ${name}::text`,
  );
  return sql`case ${sql.join(cases, sql` `)} end`;
}
