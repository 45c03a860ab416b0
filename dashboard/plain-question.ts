import type { QuestionType } from '../src/rules/questions/question.ts';

export interface AskedQuestion {
  readonly questionType: QuestionType;
  readonly choices: readonly string[];
  readonly params: {
    readonly subject?: string | null;
    readonly thresholdPct?: number | null;
    readonly n?: number | null;
  };
}

/**
 * Such as `Does BTC end the hour up 0.35 % or more?`: short, for people. The API's text is longer because it decides: it has both times
 * and the meaning of an unchanged price.
 */
export function plainQuestion({ questionType, choices, params }: AskedQuestion): string {
  const { subject, n } = params;
  const level = `${Math.abs(params.thresholdPct ?? 0)} %`;
  const isDown = (params.thresholdPct ?? 0) < 0;
  switch (questionType) {
    case 'relative':
      return `${anyOf(choices)}: which gains more in the hour?`;
    case 'best_performer':
      return `Which of the ${inWords(choices.length)} gains the most in the hour?`;
    case 'worst_performer':
      return `Which of the ${inWords(choices.length)} does worst in the hour?`;
    case 'podium':
      return `${anyOf(choices)}: which gains the most in the hour?`;
    case 'volatility':
      return `${anyOf(choices)}: which swings more in the hour?`;
    case 'direction':
      return `Does ${subject} end the hour higher than it began?`;
    case 'threshold':
      return `Does ${subject} end the hour ${isDown ? 'down' : 'up'} ${level} or more?`;
    case 'touch':
      return `Does ${subject} touch ${isDown ? '−' : '+'}${level} at any time in the hour?`;
    case 'magnitude':
      return `Does ${subject} move ${level} or more in the hour, up or down?`;
    case 'range':
      return `Does ${subject} stay within ±${level} all hour?`;
    case 'momentum':
      return `Does ${subject} go the same way as in the hour before?`;
    case 'beat_market':
      return `Does ${subject} gain more than the mean of all eight?`;
    case 'breadth':
      return `Do at least ${n} of the eight end the hour higher?`;
  }
}

function anyOf(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

function inWords(count: number): string {
  return count === 8 ? 'eight' : String(count);
}
