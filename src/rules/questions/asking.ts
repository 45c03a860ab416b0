import type { Asset } from '../assets.ts';
import { QUESTION_TABLE } from './question-table.ts';
import { BOOLEAN_CHOICES, type HistoryHour, type Plan, type Question, type QuestionParams } from './question.ts';

/** The assets whose candles of the last 7 days set the question's threshold; none when it has none. */
export function historyNeeded(plan: Plan): readonly Asset[] {
  const row = QUESTION_TABLE[plan.questionType];
  return row.format === 'choice' || row.fit === null ? [] : plan.assets;
}

/**
 * The question of the hour that starts at `hourStart`. `history` holds one element for each past hour that has candles,
 * in any order; with little of it, or none, the threshold comes from a fixed table.
 */
export function questionOf(plan: Plan, hourStart: Date, history: readonly HistoryHour[]): Question {
  const { questionType, assets } = plan;
  const row = QUESTION_TABLE[questionType];
  const params = paramsOf(plan, history);
  return {
    questionType,
    predictionFormat: row.format,
    question: row.text({ assets, params, hourStart }),
    choices: row.format === 'choice' ? assets : BOOLEAN_CHOICES,
    assets,
    params,
  };
}

function paramsOf(plan: Plan, history: readonly HistoryHour[]): QuestionParams {
  const { questionType, subject, direction } = plan;
  const row = QUESTION_TABLE[questionType];
  const none = { subject, operator: null, thresholdPct: null, n: null };
  if (row.format === 'choice') return none;
  return { ...none, operator: row.operator(direction), ...row.fit?.(plan, history) };
}
