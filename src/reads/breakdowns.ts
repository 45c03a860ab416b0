import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, type InferResult, type RawBuilder, sql, type SqlBool } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { BROKEN_DOWN_AGENTS, type Dimension, SHOWN_MODELS } from '../rules/breakdowns.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../rules/hours.ts';
import { LEAD_BUCKETS } from '../rules/lead-buckets.ts';
import { GROUP_FIGURE_DIGITS, GROUP_SUMS, type GroupFigure, type GroupSum } from '../rules/sums.ts';
import { type Period, WINDOW_LENGTHS } from '../rules/windows.ts';
import { type AliasedTables, extract, firstTrue, interval, wholeUnits } from './fragments.ts';
import { type DayRange, SUM_COLUMNS, summedGroup, type SummedGroup } from './field-groups.ts';
import { beforeNewestEnd, roundConditions } from './rounds.ts';
import { SCORES } from './scores.ts';

const of = expressionBuilder<
  AliasedTables<{ r: 'rounds'; p: 'predictions'; s: 'scores'; w: 'rationales' }>,
  'r' | 'p' | 's' | 'w'
>();

const NEWEST_START = beforeNewestEnd(HOUR);

/** The groups of one agent, or of the first agents of a window's board, from their scores, in one statement. */
export async function agentGroups(
  em: SqlEntityManager,
  by: readonly Dimension[],
  { agents, days }: { readonly agents: number | { readonly leadersOf: Period }; readonly days: DayRange },
): Promise<readonly SummedGroup[]> {
  const tables = em.getKysely<DB>();
  const own = ownScores(by, [scoresOf(agents), ...dayConditions(days), ...mostNamed(by, agents)]);
  const [first = f.lit(null), second = f.lit(null)] = by.map((dimension) => SHOWN[dimension]);
  const keys = [first.as('first'), second.as('second')] as const;
  const groups = by.map((dimension) => f.ref(GROUPED[dimension]));
  const found = by.includes('ASSET')
    ? tables
        .selectFrom(byQuestion(by, own).as('f'))
        .innerJoin('round_assets as d', 'd.round_id', 'f.round_id')
        .select(keys)
        .select(({ fn }) => SUM_COLUMNS.map((name) => fn.sum(`f.${name}`).as(name)))
        .groupBy(groups)
    : tables.selectFrom(own.as('f')).select(keys).select(GROUP_TOTALS).groupBy(groups);
  return (await found.execute()).map((group) => summedGroup(group, by));
}

function scoresOf(agents: number | { readonly leadersOf: Period }): Expression<SqlBool> {
  if (typeof agents === 'number') return of('s.agent_id', '=', agents);
  const board = of.selectFrom('board_places').where('period', '=', agents.leadersOf);
  const leaders = board.where('position', '<=', BROKEN_DOWN_AGENTS).select('agent_id');
  return of('s.agent_id', '=', of.fn.any(of.fn<number[]>('array', [leaders])));
}

/** Scores with the columns to sum and to group by. `offset 0`: PostgreSQL computes each figure once, not in every sum of it. */
function ownScores(by: readonly Dimension[], conditions: readonly Expression<SqlBool>[]) {
  return of
    .selectFrom(SCORES.as('s'))
    .innerJoin('rounds as r', 'r.id', 's.round_id')
    .$if(by.includes('LEAD_TIME') || by.includes('ANSWER'), (scores) =>
      scores.innerJoin('predictions as p', (on) =>
        on.onRef('p.round_id', '=', 's.round_id').onRef('p.agent_id', '=', 's.agent_id'),
      ),
    )
    .$if(by.includes('MODEL'), (scores) =>
      scores.innerJoin('rationales as w', (on) =>
        on.onRef('w.round_id', '=', 's.round_id').onRef('w.agent_id', '=', 's.agent_id').on('w.hidden_at', 'is', null),
      ),
    )
    .where(of.and(conditions))
    .select('s.round_id')
    .select(FIGURES_OF_SCORE)
    .select(by.flatMap((dimension): readonly Value[] => VALUES[dimension]))
    .offset(of.lit(0));
}

/** An agent may name another model each time: only its most frequent ones are groups. */
function mostNamed(by: readonly Dimension[], agents: number | object): readonly Expression<SqlBool>[] {
  if (!by.includes('MODEL') || typeof agents === 'object') return [];
  const named = of
    .selectFrom('rationales')
    .where('agent_id', '=', agents)
    .where('hidden_at', 'is', null)
    .where('model', 'is not', null)
    .groupBy('model')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('model')
    .limit(SHOWN_MODELS);
  return [of('w.model', '=', of.fn.any(of.fn<string[]>('array', [named.select('model')])))];
}

/**
 * Sums by question: rounds with one type, subject and choices have the same assets (`src/rules/questions/asking.ts`), those of
 * any of them. Otherwise each figure would be added up once for each of up to eight assets.
 */
function byQuestion(by: readonly Dimension[], own: ReturnType<typeof ownScores>) {
  const others = by.flatMap((dimension) => (dimension === 'ASSET' ? [] : [GROUPED[dimension]]));
  return f
    .selectFrom(own.as('f'))
    .select(({ fn }) => fn.max('f.round_id').as('round_id'))
    .select(others)
    .select(GROUP_TOTALS)
    .groupBy(['f.asked', 'f.subject', 'f.choices', ...others]);
}

const SECONDS = of.cast<number>(extract('epoch', of.ref('r.start_time')), 'int8');

/** The columns of `f` for each dimension, from a round or a prediction in it. */
const VALUES = {
  QUESTION_TYPE: [of.ref('r.question_type').as('question_type')],
  ASSET: [of.ref('r.question_type').as('asked'), of.ref('r.subject').as('subject'), of.ref('r.choices').as('choices')],
  HOUR_OF_DAY: [of(of(SECONDS, '/', of.lit(HOUR / SECOND)), '%', of.lit(24)).as('hour')],
  WEEKDAY: [extract('isodow', of.fn('timezone', [sql.lit('UTC'), 'r.start_time'])).as('weekday')],
  LEAD_TIME: [leadBucket(of('r.end_time', '-', of.ref('p.submitted_at'))).as('lead')],
  ANSWER: [of.ref('p.prediction').as('prediction')],
  AGENT: [of.ref('s.agent_id').as('agent_id')],
  MODEL: [of.ref('w.model').as('model')],
} as const satisfies Record<Dimension, unknown>;

type Value = (typeof VALUES)[Dimension][number];

/** Figures of a score `s` as whole numbers of a unit, which are faster to sum than decimals: columns of `f`. */
const FIGURES_OF_SCORE = [
  of.ref('s.is_correct').as('hit'),
  of.ref('s.confidence').as('confidence'),
  wholeUnits(of.ref('s.brier'), 10_000, 'int4').as('brier'),
  wholeUnits(of.ref('s.reference_brier'), 1_000_000, 'int8').as('reference'),
  wholeUnits(of.ref('s.pnl_usd'), 100, 'int8').as('cents'),
  wholeUnits(of.ref('s.edge_millionths'), 1, 'int8').as('edge'),
] as const;

export const GROUP_FIGURE_COLUMNS: RawBuilder<unknown> = sql.join(FIGURES_OF_SCORE);

type Tables = AliasedTables<{ d: 'round_assets' }> & { f: InferResult<ReturnType<typeof ownScores>>[number] };

const f = expressionBuilder<Tables, 'd' | 'f'>();

/** The column that groups scores by each dimension, and its text, which only groups need. */
const GROUPED = {
  QUESTION_TYPE: 'f.question_type',
  ASSET: 'd.asset',
  HOUR_OF_DAY: 'f.hour',
  WEEKDAY: 'f.weekday',
  LEAD_TIME: 'f.lead',
  ANSWER: 'f.prediction',
  AGENT: 'f.agent_id',
  MODEL: 'f.model',
} as const satisfies Record<Dimension, string>;

const SHOWN = {
  QUESTION_TYPE: f.ref('f.question_type'),
  ASSET: f.ref('d.asset'),
  HOUR_OF_DAY: f.fn<string>('to_char', ['f.hour', sql.lit('FM00')]),
  WEEKDAY: f.cast<string>('f.weekday', 'text'),
  LEAD_TIME: f.ref('f.lead'),
  ANSWER: f.ref('f.prediction'),
  AGENT: f.selectFrom('agents').whereRef('id', '=', 'f.agent_id').select('name').$asScalar(),
  MODEL: f.ref('f.model'),
};

function dayConditions(days: DayRange): readonly Expression<SqlBool>[] {
  if ('window' in days) {
    const length = WINDOW_LENGTHS[days.window];
    if (length === null) return [];
    const newestDay = of.fn<Date>('date_trunc', [sql.lit('day'), NEWEST_START, sql.lit('UTC')]);
    return [of('r.start_time', '>=', of(newestDay, '-', interval(length - DAY)))];
  }
  return roundConditions(days);
}

/** Each figure of `f` in whole units. */
const FIGURES: Readonly<Record<GroupFigure, Expression<number | null>>> = {
  confidence: f.ref('f.confidence'),
  brier: f.ref('f.brier'),
  reference: f.ref('f.reference'),
  gain: f.parens(f('f.reference', '-', f('f.brier', '*', f.lit(100)))),
  pnl: f.ref('f.cents'),
  edge: f.ref('f.edge'),
};

const CONDITIONS = { scored: f.lit(true), correct: f.ref('f.hit'), withEdge: f('f.edge', 'is not', null) };

function totalled(sum: GroupSum) {
  if ('counts' in sum) return f.fn.countAll<number>().filterWhere(CONDITIONS[sum.counts]);
  const name = 'sum' in sum ? sum.sum : sum.squares;
  const [figure, digits] = [FIGURES[name], GROUP_FIGURE_DIGITS[name]];
  const [added, scale] = 'sum' in sum ? [figure, digits] : [f(figure, '*', figure), 2 * digits];
  const total = f.fn.sum<number>(added);
  return scale === 0 ? total : f.fn.coalesce(f(total, '*', sql.lit(Number(`1e-${scale}`))), f.lit(0));
}

export const GROUP_TOTALS = Object.values<GroupSum>(GROUP_SUMS).map((sum) => totalled(sum).as(sum.column));

/** The name of the bucket of a lead time. */
export function leadBucket(lead: Expression<Date>) {
  const buckets = LEAD_BUCKETS.map(({ name, fromMinutes }) => {
    return [of(lead, '>=', interval(fromMinutes * MINUTE)), of.cast<string>(of.val(name), 'text')] as const;
  });
  return firstTrue<string | null>(buckets, of.lit(null));
}
