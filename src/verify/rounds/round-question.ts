import { planOf, questionOf } from '../../rules/questions/asking.ts';
import { QUESTION_TABLE } from '../../rules/questions/question-table.ts';
import type { Question, QuestionParams } from '../../rules/questions/question.ts';
import type { Findings } from '../findings.ts';
import type { DecidedRound } from '../published/decided-round.ts';
import type { ReadRound } from '../published/history.ts';
import { type RecomputedRound, recomputedReferences } from '../prices/round-references.ts';

export function recomputedRound(read: ReadRound): RecomputedRound {
  const question = questionByRules(read.round);
  return { ...read, question, recomputedAt: recomputedReferences(read, question) };
}

/** The rotation's question with the published threshold or n, which follows from unpublished candles. */
function questionByRules(round: DecidedRound): Question {
  const plan = planOf(round.start_time);
  const usual = questionOf(plan, round.start_time, []);
  const params: QuestionParams = {
    ...usual.params,
    thresholdPct: published(usual.params.thresholdPct, round.threshold_pct),
    n: usual.params.n === null ? null : (round.n ?? usual.params.n),
  };
  const { text } = QUESTION_TABLE[plan.questionType];
  return { ...usual, params, question: text({ assets: usual.assets, params, hourStart: round.start_time }) };
}

export function checkQuestion({ round, details, question }: RecomputedRound, findings: Findings): void {
  const { params } = question;
  findings.values(`round ${round.id}`, round, {
    question: question.question,
    question_type: question.questionType,
    prediction_format: question.predictionFormat,
    choices: question.choices,
    subject: params.subject,
    operator: params.operator,
    threshold_pct: params.thresholdPct === null ? null : Number(params.thresholdPct),
    n: params.n,
  });
  const symbols = details.assets.map(({ symbol }) => symbol);
  findings.values(`round ${round.id}`, { assets: symbols }, { assets: question.assets });
  findings.values(`round ${round.id}, exported`, round, { assets: question.assets });
}

/** The published threshold; the usual one if it is missing, has the wrong sign or an exponent. */
function published(usual: string | null, shown: number | null): string | null {
  if (usual === null || shown === null) return usual;
  const decimal = String(shown);
  return Math.sign(shown) === Math.sign(Number(usual)) && !decimal.includes('e') ? decimal : usual;
}
