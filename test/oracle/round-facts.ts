import { hourOf } from './hours.ts';
import { bodyOf, numberOf, textOf, textsOf, type Body } from './json.ts';

export const QUESTION_TYPES = [
  'relative',
  'best_performer',
  'worst_performer',
  'podium',
  'volatility',
  'direction',
  'threshold',
  'touch',
  'magnitude',
  'range',
  'momentum',
  'beat_market',
  'breadth',
] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

/** What a round asks, as the service tells it: all that the oracle takes from it besides the agents' 201 answers. */
export interface RoundFacts {
  readonly id: number;
  readonly type: QuestionType;
  readonly hour: number;
  readonly choices: readonly string[];
  readonly subject: string | null;
  readonly operator: string | null;
  readonly thresholdPct: number | null;
  readonly n: number | null;
}

export function factsOf(round: Body): RoundFacts {
  const params = bodyOf(round, 'params');
  return {
    id: numberOf(round, 'id'),
    type: questionType(textOf(round, 'question_type')),
    hour: hourOf(textOf(round, 'start_time')),
    choices: textsOf(round, 'choices'),
    subject: params['subject'] === null ? null : textOf(params, 'subject'),
    operator: params['operator'] === null ? null : textOf(params, 'operator'),
    thresholdPct: params['threshold_pct'] === null ? null : numberOf(params, 'threshold_pct'),
    n: params['n'] === null ? null : numberOf(params, 'n'),
  };
}

function questionType(name: string): QuestionType {
  const type = QUESTION_TYPES.find((known) => known === name);
  if (type === undefined) throw new Error(`${name} is no question type`);
  return type;
}
