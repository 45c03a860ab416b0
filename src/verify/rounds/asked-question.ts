import { planOf, questionOf } from '../../rules/questions/asking.ts';
import { QUESTION_TABLE } from '../../rules/questions/question-table.ts';
import type { Question, QuestionParams } from '../../rules/questions/question.ts';
import type { Findings } from '../findings.ts';
import type { DecidedRound } from '../published/decided-round.ts';
import type { ReadRound } from '../published/history.ts';
import { type AskedRound, recomputedReferences } from '../prices/round-references.ts';

export function askedRound(read: ReadRound): AskedRound {
  const asked = askedQuestion(read.round);
  return { ...read, asked, recomputedAt: recomputedReferences(read, asked) };
}

/** The rotation's question with the published threshold or n, which follows from unpublished candles. */
function askedQuestion(round: DecidedRound): Question {
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

export function checkQuestion({ round, details, asked }: AskedRound, findings: Findings): void {
  const { params } = asked;
  findings.values(`round ${round.id}`, round, {
    question: asked.question,
    question_type: asked.questionType,
    prediction_format: asked.predictionFormat,
    choices: asked.choices,
    subject: params.subject,
    operator: params.operator,
    threshold_pct: params.thresholdPct === null ? null : Number(params.thresholdPct),
    n: params.n,
  });
  const symbols = details.assets.map(({ symbol }) => symbol);
  findings.values(`round ${round.id}`, { assets: symbols }, { assets: asked.assets });
  findings.values(`round ${round.id}, exported`, round, { assets: asked.assets });
}

/** The published threshold; the usual one if it is missing, has the wrong sign or an exponent. */
function published(usual: string | null, shown: number | null): string | null {
  if (usual === null || shown === null) return usual;
  const decimal = String(shown);
  return Math.sign(shown) === Math.sign(Number(usual)) && !decimal.includes('e') ? decimal : usual;
}
