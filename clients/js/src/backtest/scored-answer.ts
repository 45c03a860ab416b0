import {
  edgeAt,
  figureOf,
  gridPointAt,
  ownBriersOf,
  payoffOf,
  type QuestionType,
  referenceBriers,
  spacedSeconds,
  streakBonus,
  UNITS,
} from '../rules.ts';
import { referenceOf } from './as-of.ts';
import type { PastRound } from './past.ts';

/** Null skips the round. */
export type Answer = { readonly prediction: string; readonly confidence: number } | null;

/** An answer's result, named as in the service's export of predictions. */
export interface ScoredAnswer {
  readonly round_id: number | null;
  readonly question: string;
  readonly question_type: QuestionType;
  readonly subject: string | null;
  readonly start_time: string;
  readonly prediction: string;
  readonly answers: number;
  readonly confidence: number;
  readonly is_correct: 1 | 0;
  readonly score: number;
  readonly streak_bonus: number;
  readonly pnl_usd: number;
  readonly brier: number;
  /** The advantage over the price alone; null if unknown. */
  readonly edge: number | null;
  /** Seconds from the answer to the end of the round. */
  readonly lead_seconds: number;
  /** Probabilities by the price alone at that time. */
  readonly reference: readonly number[] | null;
}

/** An answer with its time, and the agent's streak before it. */
export interface Given {
  readonly answer: NonNullable<Answer>;
  readonly minute: number;
  readonly streak: number;
}

/** The answer's result by the service's rules. Throws for an invalid answer. */
export function scored(round: PastRound, outcome: string, { answer, minute, streak }: Given): ScoredAnswer {
  const { question, hourStart, rulesVersion } = round;
  const { choices } = question;
  checkAnswer(choices, answer);
  const { prediction, confidence } = answer;
  const correct = prediction === outcome;
  const payoff = payoffOf(confidence, choices.length, correct);
  const point = gridPointAt(hourStart, new Date(hourStart.getTime() + minute * 60_000));
  const reference = referenceOf(round, point);
  const known = new Map(reference === null ? [] : [[point, reference]]);
  const briers = referenceBriers({ choices, outcome, rulesVersion }, known);
  return {
    round_id: round.id,
    question: question.question,
    question_type: question.questionType,
    subject: question.params.subject,
    start_time: spacedSeconds(hourStart),
    prediction,
    answers: choices.length,
    confidence,
    is_correct: correct ? 1 : 0,
    score: payoff.score,
    streak_bonus: correct ? streakBonus(streak + 1) : 0,
    pnl_usd: Number(payoff.pnlUsd),
    brier: Number(payoff.brier),
    edge: figureOf(edgeAt(point, briers, ownBriersOf(payoff, choices.length, rulesVersion)), UNITS.edge),
    lead_seconds: 3600 - minute * 60,
    reference,
  };
}

function checkAnswer(choices: readonly string[], { prediction, confidence }: NonNullable<Answer>): void {
  if (!choices.includes(prediction)) {
    throw new RangeError(`prediction must be one of ${choices.join(', ')} (got ${prediction}).`);
  }
  if (!(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100)) {
    throw new RangeError(`confidence must be a whole number from 0 to 100 (got ${confidence}).`);
  }
}
