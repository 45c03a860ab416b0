import { arenaPointsOf, placed, pnlCentsOf, scoreOf, streakBonusOf, type Standing } from '../history/oracle-scores.ts';
import { edgeOf, evenOdds } from '../history/oracle-edges.ts';
import { type Edges, NO_EDGES, tierOf, withEdge } from '../history/oracle-tiers.ts';
import type { Ask } from '../support/snapshot.ts';

/** A prediction of a resolved round beside the score that stands for it; null where there is none. */
interface Scored {
  readonly roundId: number;
  readonly agentId: number;
  readonly id: number;
  readonly prediction: string;
  readonly confidence: number;
  readonly submittedAt: string;
  readonly outcome: string;
  readonly choices: readonly string[];
  /** In millionths, as stored: what the price alone said stands in no table. Null of a version that stored none. */
  readonly edge: number | null;
  readonly stored: string | null;
}

interface Career {
  points: number;
  competitions: number;
  streak: number;
  bestStreak: number;
  edges: Edges;
}

/** In the order of resolution: that of the events, before which come the rounds whose events are forgotten. */
const SCORED = `
  select p.round_id as "roundId", p.agent_id as "agentId", p.id::float8, p.prediction, p.confidence,
    to_char(p.submitted_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS') as "submittedAt", r.outcome,
    r.choices, s.edge_millionths as edge,
    s.is_correct::int || ' ' || s.score || '+' || s.streak_bonus || ' place ' || s.place || ' arena ' || s.arena_points
      || ' cents ' || (s.pnl_usd * 100)::int as stored
  from predictions p join rounds r on r.id = p.round_id and r.status = 'resolved'
    left join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id
    left join events e on e.round_id = r.id and e.kind = 'ROUND_RESOLVED'
  order by e.seq nulls first, r.decided_at, r.id`;

const STANDINGS = `
  select agent_id as "agentId", current_streak || ', best ' || best_streak || ', ' || tier as stored from standings`;

/** Scores every prediction of the resolved rounds anew, from the first round to the last, and compares. */
export async function replayDifferences(ask: Ask): Promise<string[]> {
  const careers = new Map<number, Career>();
  const rounds = Map.groupBy(await ask<Scored>(SCORED), ({ roundId }) => roundId);
  const wrong = [...rounds.values()].flatMap((predictions) => roundDifferences(predictions, careers));
  const standings = await ask<{ agentId: number; stored: string }>(STANDINGS);
  const stored = new Map(standings.map((standing) => [standing.agentId, standing.stored]));
  for (const [agentId, { points, competitions, streak, bestStreak, edges }] of careers) {
    const expected = `${streak}, best ${bestStreak}, ${tierOf(points, competitions, edges)}`;
    if (stored.get(agentId) !== expected)
      wrong.push(`streak and tier of agent ${agentId}: stored ${stored.get(agentId)}, expected ${expected}`);
  }
  return wrong;
}

function roundDifferences(predictions: readonly Scored[], careers: Map<number, Career>): string[] {
  const standings = predictions.map((scored): Scored & Standing => {
    const correct = scored.prediction === scored.outcome;
    return { ...scored, correct, score: scoreOf(scored.confidence, correct) };
  });
  return placed(standings).flatMap((scored, index) => {
    const { agentId, roundId, confidence, correct, choices, score, stored } = scored;
    const career = careers.get(agentId) ?? { points: 0, competitions: 0, streak: 0, bestStreak: 0, edges: NO_EDGES };
    careers.set(agentId, career);
    career.streak = correct ? career.streak + 1 : 0;
    career.bestStreak = Math.max(career.bestStreak, career.streak);
    const bonus = streakBonusOf(career.streak);
    career.points += score + bonus;
    career.competitions += 1;
    const edge =
      scored.edge === null ? edgeOf({ ...scored, said: evenOdds(choices) }, scored.outcome) : BigInt(scored.edge);
    career.edges = withEdge(career.edges, edge);
    const cents = pnlCentsOf(choices.length, confidence, correct);
    const place = index + 1;
    const expected = `${Number(correct)} ${score}+${bonus} place ${place} arena ${arenaPointsOf(place)} cents ${cents}`;
    return stored === expected
      ? []
      : [`score of agent ${agentId} in round ${roundId}: stored ${stored}, expected ${expected}`];
  });
}
