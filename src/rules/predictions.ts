import { ASSETS } from './assets.ts';
import { quoted, refused, wholeNumberWithin } from './errors.ts';
import { DAY } from './hours.ts';
import { BOOLEAN_CHOICES } from './questions/question.ts';

/** `sealed` picks stay hidden from others until the round is over. */
export const PICKS = ['open', 'sealed'] as const;

export type Picks = (typeof PICKS)[number];

export const CONFIDENCE = { min: 0, max: 100 } as const;

export function checkConfidence(value: unknown, argument = 'confidence'): void {
  wholeNumberWithin(argument, value, CONFIDENCE);
}

export const ANSWERS: readonly string[] = [...BOOLEAN_CHOICES, ...ASSETS];

const CHOICES: ReadonlySet<string> = new Set(ANSWERS);

export function isChoice(value: string): boolean {
  return CHOICES.has(value);
}

export function checkPrediction(choices: readonly string[], value: string): void {
  if (choices.includes(value)) return;
  throw refused('prediction', `one of ${choices.map(quoted).join(', ')}`, value);
}

/** A key repeats its first answer this long, in milliseconds. */
export const IDEMPOTENCY_WINDOW = DAY;

const IDEMPOTENCY_KEY_LENGTH = { min: 1, max: 128 } as const;

const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{${IDEMPOTENCY_KEY_LENGTH.min},${IDEMPOTENCY_KEY_LENGTH.max}}$`);

export function checkIdempotencyKey(text: string): void {
  if (PRINTABLE.test(text)) return;
  const { min, max } = IDEMPOTENCY_KEY_LENGTH;
  throw refused('idempotencyKey', `${min} to ${max} printable ASCII characters`, text);
}
