import { difficultyOf, type TallyRow } from '../../src/rules/crowd.ts';
import { gridPointAt } from '../../src/rules/grid.ts';
import {
  answerPayoffs,
  edgeAt,
  figureOf,
  inUnits,
  type References,
  referenceBriers,
  UNITS,
} from '../../src/rules/payoffs.ts';
import type { Question } from '../../src/rules/questions/question.ts';
import type { Findings } from './findings.ts';
import type { ReadRound } from './history.ts';
import type { Prediction } from './prediction.ts';
import type { SaidAt } from './round-references.ts';

interface EdgeNeeds {
  readonly asked: Question;
  /** The right answer. */
  readonly answer: string;
  readonly saidAt: SaidAt;
  readonly findings: Findings;
}

/**
 * Works the round's difficulty, and each prediction's edge, contribution and peer score out again and compares.
 * Returns each prediction's edge in millionths by its id, null where it has none: what tiers and boards add up.
 */
export function checkEdges(
  read: ReadRound,
  { asked, answer, saidAt, findings }: EdgeNeeds,
): ReadonlyMap<number, number | null> {
  const { round, predictions, details } = read;
  const tally = tallyOf(predictions);
  const difficulty = difficultyOf(tally, answer);
  const shown = difficulty === null ? null : figureOf(inUnits(difficulty, UNITS.difficulty), UNITS.difficulty);
  findings.values(`round ${round.id}`, details, { difficulty: shown });
  const judged = { choices: asked.choices, outcome: answer, rulesVersion: round.rules_version };
  const points = details.results.map(({ submittedAt }) => gridPointAt(round.start_time, submittedAt));
  const briers = referenceBriers(judged, knownAt(saidAt, points));
  const payoffs = new Map(answerPayoffs(judged, tally).map((one) => [keyOf(one.answer, one.confidence), one]));
  const predicted = new Map(predictions.map((prediction) => [prediction.id, prediction]));
  const edges = new Map<number, number | null>();
  for (const [place, result] of details.results.entries()) {
    const prediction = predicted.get(result.id);
    const payoff = prediction && payoffs.get(keyOf(prediction.prediction, prediction.confidence));
    if (prediction === undefined || payoff === undefined) continue;
    const millionths = edgeAt(points[place] ?? -1, briers, payoff);
    edges.set(result.id, millionths);
    findings.values(`round ${round.id}, prediction ${result.id} of ${prediction.agent_name}`, result, {
      edge: figureOf(millionths, UNITS.edge),
      contribution: figureOf(payoff.contribution, UNITS.contribution),
      peerScore: figureOf(payoff.peerScore, UNITS.peer),
    });
  }
  return edges;
}

/** What the price alone said at those of these points where it is known. */
function knownAt(saidAt: SaidAt, points: readonly number[]): References {
  const said = [...new Set(points)].map((point) => ({ point, ...saidAt(point) }));
  return new Map(said.filter(({ known }) => known).map(({ point, reference }) => [point, reference]));
}

function tallyOf(predictions: readonly Prediction[]): readonly TallyRow[] {
  const kinds = Map.groupBy(predictions, ({ prediction, confidence }) => keyOf(prediction, confidence));
  return [...kinds.values()].flatMap((alike) => {
    const [first] = alike;
    return first === undefined ? [] : [{ answer: first.prediction, confidence: first.confidence, n: alike.length }];
  });
}

function keyOf(answer: string, confidence: number): string {
  return `${answer} ${confidence}`;
}
