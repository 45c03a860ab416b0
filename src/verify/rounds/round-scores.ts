import { CONFIDENCES, type Payoff, payoffOf } from '../../rules/payoffs.ts';
import { SECOND } from '../../rules/hours.ts';
import { arenaPointsFor, byPlace, type RankedEntry } from '../../rules/ranking.ts';
import type { ScoredPrediction } from '../boards/agent-records.ts';
import { admittedIn, type Prediction, SCORE_FIELDS, submittedAt } from '../published/prediction.ts';
import { checkEdges, type EdgeNeeds, type Edges } from './round-edges.ts';
import type { RecomputedRound } from '../prices/round-references.ts';

interface ScoringNeeds extends Omit<EdgeNeeds, 'answer'> {
  readonly answer: string | null;
  /** Adds to all sums. Returns the streak bonus; null if it depends on unread rounds. */
  readonly add: (scored: ScoredPrediction) => number | null;
}

export function checkScores(read: RecomputedRound, needs: ScoringNeeds): number {
  checkList(read, needs);
  if (needs.answer === null) {
    for (const prediction of read.predictions) compare(needs, prediction, UNSCORED);
    return 0;
  }
  const edges = checkEdges(read, { ...needs, answer: needs.answer });
  const payoffs = new Map<string, Payoff>();
  const entries = admittedIn(read.predictions, read.question.choices).map((prediction): Entry => {
    const { id, confidence } = prediction;
    const correct = prediction.prediction === needs.answer;
    const key = `${confidence} ${correct}`;
    const payoff = payoffs.get(key) ?? payoffOf(confidence, read.question.choices.length, correct);
    payoffs.set(key, payoff);
    // A missing result was reported already.
    const both = edges.get(id) ?? { edge: null, arenaEdge: null };
    return {
      prediction,
      id,
      score: payoff.score,
      confidence,
      correct,
      submittedAt: submittedAt(prediction),
      payoff,
      ...both,
    };
  });
  const placed = entries.toSorted(byPlace);
  needs.findings.order(
    `round ${read.round.id}, results`,
    read.details.results.map(({ id }) => `prediction ${id}`),
    placed.map(({ id }) => `prediction ${id}`),
  );
  return placed.filter((entry, index) => !checkScore(entry, index + 1, needs)).length;
}

const UNSCORED = Object.fromEntries(Object.keys(SCORE_FIELDS).map((name) => [name, null] as const));

interface Entry extends RankedEntry, Edges {
  readonly prediction: Prediction;
  readonly payoff: Payoff;
}

function checkScore(entry: Entry, rank: number, needs: ScoringNeeds): boolean {
  const { prediction, correct, payoff, edge, arenaEdge } = entry;
  const arenaPoints = arenaPointsFor(rank);
  const { agent_id: agentId, standing } = prediction;
  const bonus = needs.add({ agentId, correct, payoff, arenaPoints, edge, arenaEdge, isStanding: standing === 1 });
  compare(needs, prediction, {
    is_correct: correct ? 1 : 0,
    score: payoff.score,
    place: rank,
    arena_points: arenaPoints,
    pnl_usd: Number(payoff.pnlUsd),
    brier: Number(payoff.brier),
    ...(bonus === null ? {} : { streak_bonus: bonus }),
  });
  return bonus !== null;
}

function compare({ findings }: ScoringNeeds, prediction: Prediction, recomputed: Partial<Prediction>): void {
  const { round_id: round, id, agent_name: name } = prediction;
  findings.values(`round ${round}, prediction ${id} of ${name}`, prediction, recomputed);
}

function checkList({ round, predictions, details, question }: RecomputedRound, needs: ScoringNeeds): void {
  const { answer, findings } = needs;
  const exactTimes = new Map(details.results.map((result) => [result.id, result.submittedAt]));
  findings.values(`round ${round.id}`, round, { total_entries: predictions.length });
  const agents = new Set(predictions.map(({ agent_id: agent }) => agent));
  findings.values(`round ${round.id}`, { agents: agents.size }, { agents: predictions.length });
  for (const prediction of predictions) {
    const { submitted_at: at, prediction: given, confidence, id } = prediction;
    // A missing result is reported elsewhere.
    const exact = (exactTimes.get(id) ?? submittedAt(prediction)).getTime();
    compare(needs, prediction, {
      answers: question.choices.length,
      question_type: question.questionType,
      round_status: round.status,
      start_time: round.start_time,
      end_time: round.end_time,
      submitted_at: new Date(Math.floor(exact / SECOND) * SECOND),
      lead_seconds: (round.end_time.getTime() - exact) / SECOND,
    });
    findings.holds(`round ${round.id}, prediction ${id}`, {
      is_a_choice: question.choices.includes(given),
      is_a_confidence: CONFIDENCES.includes(confidence),
      is_within_the_hour: at >= round.start_time && at < round.end_time,
    });
  }
  if (answer !== null) return;
  const [shown, listed] = [details.results, predictions].map((list) => list.map(({ id }) => `prediction ${id}`));
  findings.order(`round ${round.id}, results`, shown ?? [], listed ?? []);
}
