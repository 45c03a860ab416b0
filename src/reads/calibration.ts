import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { ANY_ASSET } from '../entities/tallies.ts';
import { brierTerm } from '../rules/brier.ts';
import {
  type Calibration,
  calibrationFrom,
  calibrationOf,
  type CalibrationSums,
  KINDS,
  NO_SUMS,
  type ScoredCount,
  TERM_NAMES,
} from '../rules/calibration.ts';
import { checkLeadTime } from '../rules/breakdowns.ts';
import { toDecimal } from '../rules/fraction.ts';
import { leadBucket } from './breakdowns.ts';
import { checkAsset, inWindowById, type WindowRounds, windowRounds } from './rounds.ts';
import type { Period } from '../rules/windows.ts';
import type { QuestionType } from '../rules/questions/question.ts';
import { rows } from './sql.ts';
import { SCORES } from './scores.ts';

/** Which predictions a calibration is of: those in some rounds, or of them those with a lead time (`LEAD_BUCKETS`). */
export interface Calibrated extends WindowRounds {
  readonly lead?: string | null;
}

/** What is asked for. Throws `BAD_REQUEST` for an asset and a lead time that there is not. */
export function calibrated({
  window,
  questionType,
  asset,
  leadTime,
}: {
  readonly window?: Period | null;
  readonly questionType?: readonly QuestionType[] | null;
  readonly asset?: string | null;
  readonly leadTime?: string | null;
}): Calibrated {
  if (asset != null) checkAsset(asset);
  if (leadTime != null) checkLeadTime(leadTime);
  const lead = leadTime ?? null;
  return { window: window ?? 'alltime', questionType: questionType ?? null, asset: asset ?? null, lead };
}

/** Figures of one agent's predictions: those in a bin, or with null all of them. */
interface Group extends CalibrationSums {
  readonly agentId: number;
  readonly bin: number | null;
  readonly referenceSum: number;
}

/**
 * The calibration of several agents over the same rounds, from the index `scores_agent_rounds` alone: each agent's alike
 * predictions are counted, and a bin is a row of sums. A Brier term is exact, so it stands for the confidence of a
 * prediction that was right or wrong.
 */
export async function calibrationsOf(
  em: SqlEntityManager,
  asked: Calibrated,
  agents: readonly number[],
): Promise<readonly Calibration[]> {
  const { counted, referenceSum } =
    asked.questionType === null && asked.asset === null && asked.lead == null
      ? wholeWindow(asked.window)
      : partOfWindow(asked);
  const found = await rows<Group>(em)`
    select a.id as "agentId", t.bin, ${referenceSum} as "referenceSum", sum(k.n)::float8 as n, ${TERM_SUMS}
    from unnest(${[...agents]}::int[]) a(id)
    cross join lateral (${counted}) k
    join ${KIND_TABLE} on t.brier_term = k.brier and t.is_correct = k.is_correct
    group by grouping sets ((a.id, t.bin), (a.id))`;
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

/** How an agent's predictions `k` are counted by kind, and what the reference terms of all that are counted come to. */
interface Counting {
  readonly counted: RawBuilder<unknown>;
  readonly referenceSum: RawBuilder<unknown>;
}

/** The sum of the reference terms of a whole window stands in the standing, so that no round is looked at. */
function wholeWindow(window: Period): Counting {
  return {
    counted: sql`
      select s.brier, s.is_correct, count(*) as n from ${SCORES} s where s.agent_id = a.id and ${inWindowById(window)} group by 1, 2`,
    referenceSum: sql`(select ${sql.ref(`w.${window}_reference_brier_sum`)}::float8 from standings w where w.agent_id = a.id)`,
  };
}

/** Reference terms, (1 / k - o)^2 among k answers, are whole 64ths, which floats add up exactly in any order. */
function partOfWindow({ lead, ...asked }: Calibrated): Counting {
  const ofLead =
    lead == null
      ? sql``
      : sql`join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id
          and ${leadBucket(sql`r.end_time - p.submitted_at`)} = ${lead}`;
  return {
    counted: sql`
      select s.brier, s.is_correct, 1 / r.choice_count::float8 - s.is_correct::int as miss, count(*) as n
      from ${SCORES} s join ${windowRounds(asked)} r on r.id = s.round_id ${ofLead} where s.agent_id = a.id
      group by 1, 2, 3`,
    referenceSum: sql`sum(k.n * k.miss * k.miss)`,
  };
}

/** The rule's kinds as a table `t`, in their order. */
const KIND_TABLE: RawBuilder<unknown> = sql`unnest(
  ${KINDS.map(({ confidence, correct }) => toDecimal(brierTerm(confidence, correct)))}::numeric[],
  ${KINDS.map(({ correct }) => correct)}::boolean[], ${KINDS.map(({ bin }) => bin)}::int[],
  ${sql.join(TERM_NAMES.map((name) => sql`${KINDS.map(({ terms }) => terms[name])}::float8[]`))}
) with ordinality t(brier_term, is_correct, bin, ${sql.join(TERM_NAMES.map((name) => sql.ref(name)))}, kind)`;

const TERM_SUMS: RawBuilder<unknown> = sql.join(
  TERM_NAMES.map((name) => sql`sum(k.n * ${sql.ref(`t.${name}`)} order by t.kind) as ${sql.ref(name)}`),
);

/** The calibration of all agents together, from the tallies that resolution keeps. */
export async function fieldCalibration(
  em: SqlEntityManager,
  { window, questionType, asset, lead }: Calibrated,
): Promise<Calibration> {
  const ofTypes = questionType === null ? sql`true` : sql`question_type = any(${[...questionType]})`;
  const found = await rows<ScoredCount>(em)`
    select confidence, is_correct as correct, choice_count as "choiceCount", sum(${sql.ref(`${window}_n`)})::bigint as n
    from ${lead == null ? sql`field_tallies where true` : sql`lead_tallies where lead = ${lead}`} and asset = ${asset ?? ANY_ASSET} and ${ofTypes}
    group by confidence, is_correct, choice_count`;
  return calibrationOf(found);
}
