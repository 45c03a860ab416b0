import {
  difficultyOf,
  figureOf,
  inUnits,
  referenceBrier,
  type TallyRow,
  UNITS,
  worthsOf,
} from '../../src/rules/worth.ts';
import { gridPointAt } from '../../src/rules/grid.ts';
import type { Question } from '../../src/rules/questions/question.ts';
import type { Findings } from './findings.ts';
import type { ReadRound } from './history.ts';
import type { Prediction } from './prediction.ts';
import type { SaidAt } from './round-references.ts';

interface WorthNeeds {
  readonly asked: Question;
  /** The right answer. */
  readonly answer: string;
  readonly saidAt: SaidAt;
  readonly findings: Findings;
}

/**
 * Works the round's difficulty, and what each prediction was worth beside the price and the crowd, out again and compares.
 * Returns each prediction's edge in millionths by its id: what tiers and boards add up.
 */
export function checkWorth(
  read: ReadRound,
  { asked, answer, saidAt, findings }: WorthNeeds,
): ReadonlyMap<number, number> {
  const { round, predictions, details } = read;
  const tally = tallyOf(predictions);
  const difficulty = difficultyOf(tally, answer);
  const shown = difficulty === null ? null : figureOf(inUnits(difficulty, UNITS.difficulty), UNITS.difficulty);
  findings.values(`round ${round.id}`, details, { difficulty: shown });
  const judged = { choices: asked.choices, outcome: answer };
  const worths = new Map(worthsOf(judged, tally).map((worth) => [keyOf(worth.answer, worth.confidence), worth]));
  const predicted = new Map(predictions.map((prediction) => [prediction.id, prediction]));
  const edges = new Map<number, number>();
  for (const result of details.results) {
    const prediction = predicted.get(result.id);
    const worth = prediction && worths.get(keyOf(prediction.prediction, prediction.confidence));
    if (prediction === undefined || worth === undefined) continue;
    const { reference } = saidAt(gridPointAt(round.start_time, result.submittedAt));
    const millionths = inUnits(referenceBrier(reference, asked.choices.indexOf(answer)), UNITS.edge) - worth.ownBrier;
    edges.set(result.id, millionths);
    findings.values(`round ${round.id}, prediction ${result.id} of ${prediction.agent_name}`, result, {
      edge: figureOf(millionths, UNITS.edge),
      contribution: figureOf(worth.contribution, UNITS.contribution),
      peerScore: figureOf(worth.peerScore, UNITS.peer),
    });
  }
  return edges;
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
