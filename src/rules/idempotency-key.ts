import { DAY } from './hours.ts';
import { DomainError } from './errors.ts';
import { quoted } from './quoted.ts';

/** How long a key gives the first answer again, in milliseconds. */
export const IDEMPOTENCY_WINDOW = DAY;

export const IDEMPOTENCY_KEY_LENGTH = { min: 1, max: 128 } as const;

const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{${IDEMPOTENCY_KEY_LENGTH.min},${IDEMPOTENCY_KEY_LENGTH.max}}$`);

/** Throws BAD_REQUEST unless the text is 1 to 128 printable ASCII characters. */
export function checkIdempotencyKey(text: string): void {
  if (PRINTABLE.test(text)) return;
  const accepted = `${IDEMPOTENCY_KEY_LENGTH.min} to ${IDEMPOTENCY_KEY_LENGTH.max} printable ASCII characters`;
  throw new DomainError('BAD_REQUEST', `Idempotency-Key ${quoted(text)} is not accepted: it takes ${accepted}`);
}
