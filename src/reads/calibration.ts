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
 * predictions come as one text an agent: counted by the database they take longer there, and as rows longer here.
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
  const found = await rows<{ readonly agentId: number; readonly scored: string; readonly referenceSum: number }>(em)`
    select s.agent_id as "agentId", s.scored, ${sql.ref(`t.${window}_reference_brier_sum`)}::float8 as "referenceSum"
    from (
      select s.agent_id, string_agg(concat_ws(' ', s.brier, s.is_correct::int), ',') as scored
      from scores s where s.agent_id = any(${[...agents]}) and ${inWindowById(window)} group by s.agent_id
    ) s
    join standings t on t.agent_id = s.agent_id`;
  return found.map(({ agentId, scored, referenceSum }) => {
    const counts = kindsOf(scored).map(({ kind: [brier, isCorrect], n }) => ({ ...judged(brier, isCorrect), n }));
    return { agentId, calibration: calibrationWith(counts, referenceSum) };
  });
}

async function partsOfRecords(em: SqlEntityManager, asked: WindowRounds, agents: readonly number[]) {
  const found = await rows<{ readonly agentId: number; readonly scored: string }>(em)`
    select s.agent_id as "agentId", string_agg(concat_ws(' ', s.brier, s.is_correct::int, r.choice_count), ',') as scored
    from scores s
    join ${windowRounds(asked)} r on r.id = s.round_id
    where s.agent_id = any(${[...agents]})
    group by s.agent_id`;
  return found.map(({ agentId, scored }) => {
    const counts = kindsOf(scored).map(({ kind: [brier, isCorrect, choiceCount = 0], n }) => {
      return { ...judged(brier, isCorrect), choiceCount, n };
    });
    return { agentId, calibration: calibrationOf(counts) };
  });
}

/** How often each list of numbers stands in the text. */
function kindsOf(text: string): readonly { readonly kind: readonly number[]; readonly n: number }[] {
  const times = new Map<string, number>();
  for (const kind of text.split(',')) times.set(kind, (times.get(kind) ?? 0) + 1);
  return [...times].map(([kind, n]) => ({ kind: kind.split(' ').map(Number), n }));
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
    select confidence, is_correct as correct, choice_count as "choiceCount", sum(${sql.ref(`${window}_n`)})::int as n
    from field_tallies where asset = ${asset ?? ANY_ASSET} and ${ofTypes}
    group by confidence, is_correct, choice_count`;
  return calibrationOf(found);
}
