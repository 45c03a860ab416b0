import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ANY_ASSET } from '../entities/tallies.ts';
import { type Calibration, calibrationOf, calibrationWith, type ScoredCount } from '../rules/calibration.ts';
import { checkAsset, inWindowById, type WindowRounds, windowRounds } from './rounds.ts';
import type { Period } from '../rules/windows.ts';
import type { QuestionType } from '../rules/questions/question.ts';
import { rows } from './sql.ts';

/** Which rounds a calibration is of. Throws `BAD_REQUEST` for an asset that there is not. */
export function calibrationRounds({
  window,
  questionType,
  asset,
}: {
  readonly window?: Period | null;
  readonly questionType?: readonly QuestionType[] | null;
  readonly asset?: string | null;
}): WindowRounds {
  if (asset != null) checkAsset(asset);
  return { window: window ?? 'alltime', questionType: questionType ?? null, asset: asset ?? null };
}

/**
 * The calibration of several agents over the same rounds, from the index `scores_agent_rounds` alone. A Brier term is
 * (c - o)^2 (rules/calibration.ts) and exact, which gives the confidence c of a prediction that was right or wrong. The
 * database counts alike ones, of which there are at most 202 for each number of answers, however long a record is.
 */
export async function calibrationsOf(
  em: SqlEntityManager,
  asked: WindowRounds,
  agents: readonly number[],
): Promise<readonly Calibration[]> {
  const isWhole = asked.questionType === null && asked.asset === null;
  const found = isWhole ? await wholeRecords(em, asked.window, agents) : await partsOfRecords(em, asked, agents);
  const byAgent = new Map(found.map(({ agentId, calibration }) => [agentId, calibration]));
  return agents.map((agent) => byAgent.get(agent) ?? calibrationOf([]));
}

/**
 * Of whole windows: what the numbers of answers are needed for, the sum of the reference terms, stands in the standing, so
 * that no round is looked at.
 */
async function wholeRecords(em: SqlEntityManager, window: Period, agents: readonly number[]) {
  const found = await rows<{ readonly agentId: number; readonly kinds: string; readonly referenceSum: number }>(em)`
    select s.agent_id as "agentId", string_agg(concat_ws(' ', s.brier, s.is_correct::int, s.n), ',') as kinds,
      (select ${sql.ref(`t.${window}_reference_brier_sum`)}::float8 from standings t where t.agent_id = s.agent_id) as "referenceSum"
    from (
      select s.agent_id, s.brier, s.is_correct, count(*) as n
      from scores s where s.agent_id = any(${[...agents]}) and ${inWindowById(window)} group by 1, 2, 3
    ) s
    group by s.agent_id`;
  return found.map(({ agentId, kinds, referenceSum }) => {
    const counts = numbersIn(kinds).map(([brier, isCorrect, n = 0]) => ({ ...judged(brier, isCorrect), n }));
    return { agentId, calibration: calibrationWith(counts, referenceSum) };
  });
}

async function partsOfRecords(em: SqlEntityManager, asked: WindowRounds, agents: readonly number[]) {
  const found = await rows<{ readonly agentId: number; readonly kinds: string }>(em)`
    select s.agent_id as "agentId", string_agg(concat_ws(' ', s.brier, s.is_correct::int, s.n, s.choice_count), ',') as kinds
    from (
      select s.agent_id, s.brier, s.is_correct, r.choice_count, count(*) as n
      from scores s
      join ${windowRounds(asked)} r on r.id = s.round_id
      where s.agent_id = any(${[...agents]})
      group by 1, 2, 3, 4
    ) s
    group by s.agent_id`;
  return found.map(({ agentId, kinds }) => {
    const counts = numbersIn(kinds).map(([brier, isCorrect, n = 0, choiceCount = 0]) => {
      return { ...judged(brier, isCorrect), choiceCount, n };
    });
    return { agentId, calibration: calibrationOf(counts) };
  });
}

/** The numbers of each kind of predictions in such a text. */
function numbersIn(kinds: string): readonly (readonly number[])[] {
  return kinds.split(',').map((kind) => kind.split(' ').map(Number));
}

function judged(brier = 0, isCorrect = 0): Pick<ScoredCount, 'confidence' | 'correct'> {
  const correct = isCorrect === 1;
  return { confidence: Math.round(100 * (correct ? 1 - Math.sqrt(brier) : Math.sqrt(brier))), correct };
}

/** The calibration of all agents together, from the tallies that resolution keeps. */
export async function fieldCalibration(
  em: SqlEntityManager,
  { window, questionType, asset }: WindowRounds,
): Promise<Calibration> {
  const ofTypes = questionType === null ? sql`true` : sql`question_type = any(${[...questionType]})`;
  const found = await rows<ScoredCount>(em)`
    select confidence, is_correct as correct, choice_count as "choiceCount", sum(${sql.ref(`${window}_n`)})::bigint as n
    from field_tallies where asset = ${asset ?? ANY_ASSET} and ${ofTypes}
    group by confidence, is_correct, choice_count`;
  return calibrationOf(found);
}
