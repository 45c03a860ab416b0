import { difficultyOf, type TallyRow } from '../../src/rules/crowd.ts';
import { ownBrier } from '../../src/rules/edge.ts';
import type { Question } from '../../src/rules/questions/question.ts';
import { figureOf, inUnits, UNITS, type Worth, worthsOf } from '../../src/rules/worth.ts';
import type { Findings } from './findings.ts';
import type { ReadRound } from './history.ts';
import type { Prediction } from './prediction.ts';
import type { Result } from './round-details.ts';

/**
 * Works the round's difficulty, and what each prediction did for the crowd, out again and compares. Returns each
 * prediction's edge in millionths, by its id: what tiers add up. Of a round of a version before 0.3, which published none
 * of it, the edge over even odds.
 */
export function checkWorth(
  { round, predictions, details }: ReadRound,
  { asked, answer, findings }: { readonly asked: Question; readonly answer: string; readonly findings: Findings },
): ReadonlyMap<number, number> {
  const tally = tallyOf(predictions);
  const results = new Map(details.results.map((result) => [result.id, result]));
  const isOld = details.results.some(({ contribution }) => contribution === null);
  if (!isOld) {
    const difficulty = difficultyOf(tally, answer);
    const shown = difficulty === null ? null : figureOf(inUnits(difficulty, UNITS.difficulty), UNITS.difficulty);
    findings.values(`round ${round.id}`, details, { difficulty: shown });
  }
  const worths = new Map(
    worthsOf({ choices: asked.choices, outcome: answer }, tally).map((worth) => [
      keyOf(worth.answer, worth.confidence),
      worth,
    ]),
  );
  const edges = predictions.map((prediction): [number, number] => {
    const [result, worth] = [
      results.get(prediction.id),
      worths.get(keyOf(prediction.prediction, prediction.confidence)),
    ];
    if (!isOld && worth !== undefined && result !== undefined) compare(prediction, { result, worth, findings });
    return [prediction.id, edgeOf(prediction, { result, asked, answer })];
  });
  return new Map(edges);
}

interface Compared {
  readonly result: Result;
  readonly worth: Worth;
  readonly findings: Findings;
}

function compare({ round_id: round, id, agent_name: name }: Prediction, { result, worth, findings }: Compared): void {
  findings.values(`round ${round}, prediction ${id} of ${name}`, result, {
    contribution: figureOf(worth.contribution, UNITS.contribution),
    peerScore: figureOf(worth.peerScore, UNITS.peer),
  });
}

function edgeOf(
  { prediction, confidence }: Prediction,
  { result, asked, answer }: { result: Result | undefined; asked: Question; answer: string },
): number {
  if (result?.edge != null) return Math.round(result.edge * UNITS.edge);
  const k = asked.choices.length;
  return inUnits(1 - 1 / k, UNITS.edge) - inUnits(ownBrier(confidence, k, prediction === answer), UNITS.edge);
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
