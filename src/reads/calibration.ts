import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ANY_ASSET } from '../entities/tallies.ts';
import { type Calibration, calibrationOf, type ScoredCount } from '../rules/calibration.ts';
import { checkAsset, type WindowRounds, windowRounds } from './rounds.ts';
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
 * (c - o)^2 (rules/calibration.ts) and exact, which gives the confidence c of a prediction that was right or wrong.
 */
export async function calibrationsOf(
  em: SqlEntityManager,
  asked: WindowRounds,
  agents: readonly number[],
): Promise<readonly Calibration[]> {
  const found = await rows<ScoredCount & { readonly agentId: number }>(em)`
    select s.agent_id as "agentId", s.is_correct as correct, r.choice_count as "choiceCount", count(*)::int as n,
      (100 * case when s.is_correct then 1 - sqrt(s.brier) else sqrt(s.brier) end)::int as confidence
    from scores s
    join ${windowRounds(asked)} r on r.id = s.round_id
    where s.agent_id = any(${[...agents]})
    group by s.agent_id, s.is_correct, r.choice_count, s.brier`;
  const byAgent = Map.groupBy(found, ({ agentId }) => agentId);
  return agents.map((agent) => calibrationOf(byAgent.get(agent) ?? []));
}

/** The calibration of all agents together, from the tallies that resolution keeps. */
export async function fieldCalibration(
  em: SqlEntityManager,
  { window, questionType, asset }: WindowRounds,
): Promise<Calibration> {
  const ofTypes = questionType === null ? sql`true` : sql`question_type = any(${[...questionType]})`;
  const found = await rows<ScoredCount>(em)`
    select confidence, is_correct as correct, choice_count as "choiceCount", sum(${sql.ref(`${window}_n`)})::int as n
    from field_tallies where asset = ${asset ?? ANY_ASSET} and ${ofTypes}
    group by confidence, is_correct, choice_count`;
  return calibrationOf(found);
}
