import { fraction, roundHalfAway } from '../../rules/fraction.ts';
import type { Findings } from '../findings.ts';
import type { Prediction } from '../published/prediction.ts';
import type { RecomputedRound } from '../prices/round-references.ts';

export function checkCrowd({ round, details, question, ...read }: RecomputedRound, findings: Findings): void {
  const { crowd } = details;
  const predictions = read.predictions.filter(({ standing }) => standing === 0);
  const n = predictions.length;
  findings.values(`round ${round.id}, crowd`, crowd, { n, meanConfidence: meanConfidence(predictions) });
  findings.order(
    `round ${round.id}, crowd`,
    crowd.answers.map(({ answer }) => answer),
    question.choices,
  );
  for (const answer of question.choices) {
    const given = predictions.filter(({ prediction }) => prediction === answer);
    const shown = crowd.answers.find((one) => one['answer'] === answer) ?? {};
    findings.values(`round ${round.id}, crowd for ${answer}`, shown, {
      n: given.length,
      share: n === 0 ? null : given.length / n,
      meanConfidence: meanConfidence(given),
    });
  }
}

function meanConfidence(predictions: readonly Prediction[]): number | null {
  const sum = predictions.reduce((total, { confidence }) => total + confidence, 0);
  return predictions.length === 0 ? null : Number(roundHalfAway(fraction(sum, predictions.length), 2));
}
