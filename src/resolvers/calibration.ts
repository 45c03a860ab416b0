import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ANY_ASSET } from '../entities/field-tally.ts';
import { type Calibration, calibrationOf, type ScoredCount } from '../rules/calibration.ts';
import { type WindowRounds, windowRounds } from './window-rounds.ts';
import { checkAsset } from './round-filter.ts';
import type { AgentCalibrationArgs } from './schema-types.ts';

/** What the arguments of a calibration field ask for. Throws `BAD_REQUEST` for an asset that there is not. */
export function roundsAsked({ window, questionType, asset }: Partial<AgentCalibrationArgs>): WindowRounds {
  if (asset != null) checkAsset(asset);
  return { window: window ?? 'alltime', questionType: questionType ?? null, asset: asset ?? null };
}

/** The calibration of several agents over the same rounds. */
export async function calibrationsOf(
  em: SqlEntityManager,
  asked: WindowRounds,
  agents: readonly number[],
): Promise<readonly Calibration[]> {
  const { rows } = await sql<ScoredCount & { readonly agentId: number }>`
    select p.agent_id as "agentId", p.confidence, s.is_correct as correct, r.choice_count as "choiceCount",
      count(*)::int as n
    from predictions p
    join ${windowRounds(asked)} r on r.id = p.round_id
    join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id
    where p.agent_id = any(${[...agents]})
    group by 1, 2, 3, 4`.execute(em.getKysely());
  const byAgent = Map.groupBy(rows, ({ agentId }) => agentId);
  return agents.map((agent) => calibrationOf(byAgent.get(agent) ?? []));
}

/** The calibration of all agents together, from the tallies that resolution keeps. */
export async function fieldCalibration(
  em: SqlEntityManager,
  { window, questionType, asset }: WindowRounds,
): Promise<Calibration> {
  const ofTypes = questionType === null ? sql`true` : sql`question_type = any(${[...questionType]})`;
  const { rows } = await sql<ScoredCount>`
    select confidence, is_correct as correct, choice_count as "choiceCount", sum(${sql.ref(`${window}_n`)})::int as n
    from field_tallies where asset = ${asset ?? ANY_ASSET} and ${ofTypes}
    group by confidence, is_correct, choice_count`.execute(em.getKysely());
  return calibrationOf(rows);
}
