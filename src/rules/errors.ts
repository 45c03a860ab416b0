/** What can go wrong for a caller; each transport maps the codes in one exhaustive table of its own. */
export const ERROR_CODES = [
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What an argument is called where the caller asks. */
export type NameOf = (argument: string) => string;

type Wording = string | ((nameOf: NameOf) => string);

/** An error made for the caller to read: the message says what was wrong and what is accepted. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** Whole real seconds after which a new try makes sense; `RATE_LIMITED` and `UNAVAILABLE` only. */
  readonly retryAfter: number | undefined;
  readonly #wording: Wording;

  /** Where arguments are named in `wording`, `message` has the schema's names, which are GraphQL's. */
  constructor(code: ErrorCode, wording: Wording, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(
      worded(wording, (argument) => argument),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.#wording = wording;
  }

  /** The message of an interface whose arguments have other names. */
  messageWith(nameOf: NameOf): string {
    return worded(this.#wording, nameOf);
  }
}

function worded(wording: Wording, nameOf: NameOf): string {
  return typeof wording === 'string' ? wording : wording(nameOf);
}

/** The service cannot start with these settings, on this system or in this folder; the message is for the operator, as it is. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The error of an argument, by its name in the schema: what it must be, and what was given. */
export function refused(argument: string, mustBe: string, given: unknown): DomainError {
  return new DomainError('BAD_REQUEST', (nameOf) => `${nameOf(argument)} must be ${mustBe} (got ${quoted(given)}).`);
}

const LONGEST = 60;

/** A caller's value as it goes into an error message: as JSON, cut where it is long. */
export function quoted(value: unknown): string {
  if (value === undefined) return 'nothing';
  // JSON turns NaN and the infinities into null, which would hide what was sent. A long row of digits is such a number.
  if (typeof value === 'number') return String(value);
  // JSON has no text for functions and symbols; those are named by their type.
  const text: string = JSON.stringify(value) ?? typeof value;
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}
