import { difficultyOf, type TallyRow } from '../../rules/crowd.ts';
import { gridPointAt } from '../../rules/grid.ts';
import {
  answerPayoffs,
  edgeAt,
  figureOf,
  openingBrier,
  type References,
  referenceBriers,
  UNITS,
  unitsOf,
} from '../../rules/payoffs.ts';
import type { Findings } from '../findings.ts';
import { admittedIn, type Prediction } from '../published/prediction.ts';
import type { Result } from '../published/round-details.ts';
import type { ArenaGains } from './round-forecasts.ts';
import type { RecomputedRound, ReferenceLookup } from '../prices/round-references.ts';

export interface EdgeNeeds {
  readonly answer: string;
  readonly arenaGains: ArenaGains | null;
  readonly findings: Findings;
}

/** In millionths; null for none. */
export interface Edges {
  readonly edge: number | null;
  readonly arenaEdge: number | null;
}

/** Also returns the edges that sums add up, by prediction: null for standing predictions. */
export function checkEdges(
  read: RecomputedRound,
  { answer, arenaGains, findings }: EdgeNeeds,
): ReadonlyMap<number, Edges> {
  const { round, predictions, details, question, recomputedAt } = read;
  const tally = tallyOf(admittedIn(predictions, question.choices));
  const difficulty = difficultyOf(tally, answer);
  const shown = figureOf(unitsOf(difficulty, UNITS.difficulty), UNITS.difficulty);
  findings.values(`round ${round.id}`, details, { difficulty: shown });
  findings.values(`round ${round.id}, exported`, round, { difficulty: shown });
  const judged = { choices: question.choices, outcome: answer, rulesVersion: round.rules_version };
  const points = details.results.map(({ submittedAt }) => gridPointAt(round.start_time, submittedAt));
  const isEarly = ({ setAt }: Result): boolean => setAt !== null && setAt <= round.start_time;
  const opening = details.results.some(isEarly) ? [0] : [];
  const briers = referenceBriers(judged, knownAt(recomputedAt, [...opening, ...points]));
  const payoffs = new Map(answerPayoffs(judged, tally).map((one) => [keyOf(one.answer, one.confidence), one]));
  const predicted = new Map(predictions.map((prediction) => [prediction.id, prediction]));
  const edges = new Map<number, Edges>();
  for (const [index, result] of details.results.entries()) {
    const prediction = predicted.get(result.id);
    const payoff = prediction && payoffs.get(keyOf(prediction.prediction, prediction.confidence));
    if (prediction === undefined || payoff === undefined) continue;
    const point = points[index] ?? -1;
    // A prediction that stood at the start of the hour is compared with the opening reference.
    const edge = isEarly(result) ? openingBrier(judged, briers) - payoff.edgeBrier : edgeAt(point, briers, payoff);
    const ofCrowd = prediction.standing === 0;
    // The published edge enters the sums if it cannot be recomputed.
    const gained = arenaGains === null ? unitsOf(result.arenaEdge, UNITS.edge) : sumOf(edge, arenaGains(point));
    const arenaEdge = ofCrowd ? gained : null;
    edges.set(result.id, { edge: ofCrowd ? edge : null, arenaEdge });
    const figures = {
      edge: figureOf(edge, UNITS.edge),
      arenaEdge: figureOf(arenaEdge, UNITS.edge),
      contribution: ofCrowd ? figureOf(payoff.contribution, UNITS.contribution) : null,
      peerScore: ofCrowd ? figureOf(payoff.peerScore, UNITS.peer) : null,
    };
    const place = `round ${round.id}, prediction ${result.id} of ${prediction.agent_name}`;
    findings.values(place, result, figures);
    // An archived result is the exported one.
    if (round.archived === 1) continue;
    const { arenaEdge: arena, peerScore: peer, ...others } = figures;
    findings.values(`${place}, exported`, prediction, { ...others, peer_score: peer, arena_edge: arena });
  }
  return edges;
}

function sumOf(edge: number | null, gain: number | null): number | null {
  return edge === null || gain === null ? null : edge + gain;
}

function knownAt(recomputedAt: ReferenceLookup, points: readonly number[]): References {
  const recomputed = [...new Set(points)].map((point) => ({ point, ...recomputedAt(point) }));
  return new Map(recomputed.filter(({ known }) => known).map(({ point, reference }) => [point, reference]));
}

function tallyOf(predictions: readonly Prediction[]): readonly TallyRow[] {
  const kinds = Map.groupBy(predictions, ({ prediction, confidence }) => keyOf(prediction, confidence));
  return [...kinds.values()].flatMap((alike) => {
    const [first] = alike;
    const n = alike.filter(({ standing }) => standing === 0).length;
    return first === undefined ? [] : [{ answer: first.prediction, confidence: first.confidence, n }];
  });
}

function keyOf(answer: string, confidence: number): string {
  return `${answer} ${confidence}`;
}
