import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type AliasableExpression, expressionBuilder, sql } from 'kysely';

import type { DB, Row } from '../entities/tables.ts';
import { ANY_ASSET } from '../entities/tallies.ts';
import { brierTerm } from '../rules/brier.ts';
import { type Calibration, calibrationFrom, calibrationOf, CASES, NO_SUMS, TERM_NAMES } from '../rules/calibration.ts';
import { checkLeadTime } from '../rules/breakdowns.ts';
import { toDecimal } from '../rules/fraction.ts';
import type { QuestionType } from '../rules/questions/question.ts';
import type { Period } from '../rules/windows.ts';
import { leadBucket } from './breakdowns.ts';
import { type AliasedTables, anyOf, ids } from './fragments.ts';
import { checkAsset, inWindowById, type WindowRounds, windowRounds } from './rounds.ts';
import { SCORES } from './scores.ts';
import { numberedRows } from './table-functions.ts';
import { typedValue } from './plan/plan.ts';

/** The predictions of a calibration: those in some rounds, or only those with a lead time (`LEAD_BUCKETS`). */
export interface CalibrationRequest extends WindowRounds {
  readonly lead?: string | null;
}

/** These arguments, checked. Throws `BAD_REQUEST` for an unknown asset or lead time. */
export function calibrationRequest({
  window,
  questionType,
  asset,
  leadTime,
}: {
  readonly window?: Period | null;
  readonly questionType?: readonly QuestionType[] | null;
  readonly asset?: string | null;
  readonly leadTime?: string | null;
}): CalibrationRequest {
  if (asset != null) checkAsset(asset);
  if (leadTime != null) checkLeadTime(leadTime);
  const lead = leadTime ?? null;
  return { window: window ?? 'alltime', questionType: questionType ?? null, asset: asset ?? null, lead };
}

/**
 * The calibration of several agents over the same rounds, from the index `scores_agent_rounds`: each agent's equal predictions
 * are counted, and a bin is a row of sums. A Brier term is exact, so with correctness it identifies the confidence.
 */
export async function calibrationsOf(
  em: SqlEntityManager,
  request: CalibrationRequest,
  agents: readonly number[],
): Promise<readonly Calibration[]> {
  const { counted, referenceSum } =
    request.questionType === null && request.asset === null && request.lead == null
      ? wholeWindow(request.window)
      : partOfWindow(request);
  const found = await em
    .getKysely<DB>()
    .selectFrom(ids(agents))
    .crossJoinLateral(() => counted.as('k'))
    .innerJoin(CASE_TABLE, (on) => on.onRef('t.brier_term', '=', 'k.brier').onRef('t.is_correct', '=', 'k.is_correct'))
    .groupBy((by) => sql`grouping sets ((${by.ref('a.id')}, ${by.ref('t.bin')}), (${by.ref('a.id')}))`)
    .select(['a.id as agentId', 't.bin', referenceSum.as('referenceSum')])
    .select((k) => [
      k.cast<number>(k.fn.sum('k.n'), 'float8').as('n'),
      ...TERM_NAMES.map((name) =>
        k.fn
          .sum<number>(k('k.n', '*', k.ref(`t.${name}`)))
          .orderBy('t.place')
          .as(name),
      ),
    ])
    .execute();
  const byAgent = Map.groupBy(found, ({ agentId }) => agentId);
  return agents.map((agent) => {
    const groups = byAgent.get(agent) ?? [];
    const all = groups.find(({ bin }) => bin === null);
    const bins = new Map(groups.map((group) => [group.bin, group]));
    return calibrationFrom({
      total: all ?? NO_SUMS,
      binAt: (bin) => bins.get(bin),
      referenceSum: all?.referenceSum ?? 0,
    });
  });
}

/** Equal predictions `k` of an agent `a`, and the sum of their reference terms. */
interface CalibrationSources {
  readonly counted: AliasableExpression<Pick<Row<'scores'>, 'brier' | 'is_correct'> & { readonly n: number }>;
  readonly referenceSum: AliasableExpression<number>;
}

interface Tables extends AliasedTables<{ s: 'scores'; p: 'predictions'; r: 'rounds' }> {
  readonly a: { readonly id: number };
  readonly k: { readonly n: number; readonly miss: number };
}

const of = expressionBuilder<Tables, 'a' | 'k' | 's' | 'p' | 'r'>();

/** The standing has the sum of reference terms of a whole window: no round is read. */
function wholeWindow(window: Period): CalibrationSources {
  const counted = of
    .selectFrom(SCORES.as('s'))
    .whereRef('s.agent_id', '=', 'a.id')
    .where(inWindowById(window))
    .groupBy(['s.brier', 's.is_correct'])
    .select(['s.brier', 's.is_correct', of.fn.countAll<number>().as('n')]);
  const referenceSum = of
    .selectFrom('standings as w')
    .whereRef('w.agent_id', '=', 'a.id')
    .select((w) => w.cast(w.ref(`w.${window}_reference_brier_sum`), 'float8').as('sum'))
    .$castTo<number>();
  return { counted, referenceSum };
}

/** Reference terms, (1 / k - o)^2 among k answers, are whole 64ths, which floats add up exactly in any order. */
function partOfWindow({ lead, ...request }: CalibrationRequest): CalibrationSources {
  const counted = of
    .selectFrom(SCORES.as('s'))
    .innerJoin(windowRounds(request).as('r'), 'r.id', 's.round_id')
    .$if(lead != null, (scores) =>
      scores.innerJoin('predictions as p', (on) =>
        on
          .onRef('p.round_id', '=', 's.round_id')
          .onRef('p.agent_id', '=', 's.agent_id')
          .on(leadBucket(of('r.end_time', '-', of.ref('p.submitted_at'))), '=', lead ?? null),
      ),
    )
    .whereRef('s.agent_id', '=', 'a.id')
    .select((s) => [
      's.brier',
      's.is_correct',
      s(
        s(sql.lit(1), '/', s.cast<number>('r.choice_count', 'float8')),
        '-',
        s.cast<number>('s.is_correct', 'integer'),
      ).as('miss'),
      of.fn.countAll<number>().as('n'),
    ])
    .groupBy(['s.brier', 's.is_correct', 'miss']);
  const referenceSum = of.fn.sum<number>(of(of('k.n', '*', of.ref('k.miss')), '*', of.ref('k.miss')));
  return { counted, referenceSum };
}

const termLists = TERM_NAMES.map((name) => [name, [CASES.map(({ terms }) => terms[name]), 'float8']]);

/** `CASES` as a table `t`, in their order. */
const CASE_TABLE = numberedRows('t', {
  brier_term: [CASES.map(({ confidence, correct }) => toDecimal(brierTerm(confidence, correct))), 'numeric'],
  is_correct: [CASES.map(({ correct }) => correct), 'boolean'],
  bin: [CASES.map(({ bin }) => bin), 'int'],
  ...typedValue<Readonly<Record<(typeof TERM_NAMES)[number], readonly [number[], 'float8']>>>(
    Object.fromEntries(termLists),
  ).value,
});

const ofLead = expressionBuilder<AliasedTables<{ t: 'lead_tallies' }>, 't'>();

/** The calibration of all agents together, from the tallies that resolution keeps. */
export async function fieldCalibration(
  em: SqlEntityManager,
  { window, questionType, asset, lead }: CalibrationRequest,
): Promise<Calibration> {
  const table: keyof DB = lead == null ? 'field_tallies' : 'lead_tallies';
  const found = await em
    .getKysely<DB>()
    .selectFrom(sql.table<Row<'field_tallies'>>(table).as('t'))
    .where(lead == null ? ofLead.lit(true) : ofLead(ofLead.ref('t.lead').$castTo<string>(), '=', lead))
    .where('t.asset', '=', asset ?? ANY_ASSET)
    .where((t) => (questionType === null ? t.lit(true) : t('t.question_type', '=', anyOf(questionType))))
    .groupBy(['t.confidence', 't.is_correct', 't.choice_count'])
    .select(['t.confidence', 't.is_correct as correct', 't.choice_count as choiceCount'])
    .select((t) => t.cast<number>(t.fn.sum(`t.${window}_n`), 'bigint').as('n'))
    .execute();
  return calibrationOf(found);
}
