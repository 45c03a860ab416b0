import { withoutKeys } from './keys.ts';

export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

interface ReasonRow {
  readonly code: ErrorCode;
  readonly meaning: string;
}

/** REST's `code`, GraphQL's `extensions.reason`: stable in a major version. A code's first row is its general one. */
export const ERROR_REASONS = {
  bad_request: { code: 'BAD_REQUEST', meaning: 'The request cannot be carried out as it is.' },
  invalid_parameter: { code: 'BAD_REQUEST', meaning: 'A parameter or field has a value that is not accepted.' },
  missing_parameter: { code: 'BAD_REQUEST', meaning: 'A required parameter or field is missing.' },
  unknown_parameter: {
    code: 'BAD_REQUEST',
    meaning: 'The query has an unknown parameter, or the body has a misspelt field.',
  },
  repeated_parameter: { code: 'BAD_REQUEST', meaning: 'A query parameter is given more than once.' },
  invalid_body: { code: 'BAD_REQUEST', meaning: 'The body is not a JSON object, or is not sent as JSON.' },
  invalid_json: { code: 'BAD_REQUEST', meaning: 'The body is not valid JSON, or is nested too deeply.' },
  body_too_large: { code: 'BAD_REQUEST', meaning: 'The body is too large.' },
  unreadable_request: {
    code: 'BAD_REQUEST',
    meaning: 'The address, a header, the encoding or the character set is invalid.',
  },
  headers_too_large: { code: 'BAD_REQUEST', meaning: 'The address and headers are too large.' },
  request_timeout: { code: 'BAD_REQUEST', meaning: 'The request did not arrive in time.' },
  method_not_allowed: { code: 'BAD_REQUEST', meaning: 'The path accepts other methods, listed in `Allow`.' },
  not_current_round: {
    code: 'BAD_REQUEST',
    meaning: 'The round is not the current one; the message names the current one.',
  },
  no_current_round: { code: 'BAD_REQUEST', meaning: 'No round is open for predictions.' },
  round_locked: {
    code: 'BAD_REQUEST',
    meaning: 'The current round is closed for predictions; the next one opens after `retry_after` seconds.',
  },
  invalid_document: { code: 'BAD_REQUEST', meaning: 'A GraphQL document or its variables do not fit the schema.' },
  query_too_large: { code: 'BAD_REQUEST', meaning: 'A GraphQL document exceeds a limit, such as its depth or cost.' },
  unauthenticated: { code: 'UNAUTHENTICATED', meaning: 'The request needs a valid key.' },
  missing_key: { code: 'UNAUTHENTICATED', meaning: 'The request has no key.' },
  key_without_bearer: { code: 'UNAUTHENTICATED', meaning: 'The header has the key without `Bearer` before it.' },
  malformed_key: { code: 'UNAUTHENTICATED', meaning: 'The value of the header is not a key.' },
  invalid_key: {
    code: 'UNAUTHENTICATED',
    meaning: 'The key belongs to no agent: it was replaced, released or never issued.',
  },
  forbidden: { code: 'FORBIDDEN', meaning: 'The caller may not do this.' },
  spectator_cannot_predict: {
    code: 'FORBIDDEN',
    meaning: 'The agent is a spectator; activation makes it a competitor.',
  },
  agent_blocked: {
    code: 'FORBIDDEN',
    meaning: 'An operator has blocked the agent, for the reason in the message. The agent may still read.',
  },
  foreign_origin: { code: 'FORBIDDEN', meaning: 'Pages of this origin may only read and predict.' },
  webhooks_off: { code: 'FORBIDDEN', meaning: 'The operator has not turned webhooks on.' },
  not_found: { code: 'NOT_FOUND', meaning: 'The requested thing does not exist.' },
  unknown_path: { code: 'NOT_FOUND', meaning: 'There is no endpoint at this path.' },
  unknown_round: { code: 'NOT_FOUND', meaning: 'There is no round with this id.' },
  archived_round: { code: 'NOT_FOUND', meaning: 'Only an archive of its month has the predictions of the round.' },
  unknown_agent: { code: 'NOT_FOUND', meaning: 'There is no agent with this id or name.' },
  unknown_prediction: { code: 'NOT_FOUND', meaning: 'There is no prediction with this id in the round.' },
  unknown_tile: { code: 'NOT_FOUND', meaning: 'The tree of the log has no such tile.' },
  unknown_segment: { code: 'NOT_FOUND', meaning: 'The segment of events is not whole, or not stored.' },
  unknown_archive: { code: 'NOT_FOUND', meaning: 'There is no frozen board of this period.' },
  unknown_webhook: { code: 'NOT_FOUND', meaning: 'The agent has no webhook with this id.' },
  results_not_ready: {
    code: 'NOT_FOUND',
    meaning: 'The round is not decided yet. The message has its end; try again after `retry_after` seconds.',
  },
  conflict: { code: 'CONFLICT', meaning: 'The request conflicts with an earlier one.' },
  name_taken: { code: 'CONFLICT', meaning: 'Another agent has the name.' },
  already_predicted: { code: 'CONFLICT', meaning: 'The agent has already predicted in this round.' },
  idempotency_key_reused: { code: 'CONFLICT', meaning: 'The idempotency key was used for another prediction.' },
  too_many_webhooks: { code: 'CONFLICT', meaning: 'The agent has the maximum number of webhooks.' },
  rate_limited: {
    code: 'RATE_LIMITED',
    meaning: 'The request limit is reached; a new window begins after `retry_after` seconds.',
  },
  too_many_connections: { code: 'RATE_LIMITED', meaning: 'The address has too many open connections.' },
  export_running: { code: 'RATE_LIMITED', meaning: 'Another export to this address is running.' },
  unavailable: { code: 'UNAVAILABLE', meaning: 'The service cannot answer at present.' },
  no_prices_yet: { code: 'UNAVAILABLE', meaning: 'There are no prices yet.' },
  database_unavailable: { code: 'UNAVAILABLE', meaning: 'The database is out of reach.' },
  took_too_long: { code: 'UNAVAILABLE', meaning: 'Part of the answer took too long and was cancelled.' },
  internal: { code: 'INTERNAL', meaning: 'The service failed; the message has no detail.' },
} as const satisfies Record<string, ReasonRow>;

export type ErrorReason = keyof typeof ERROR_REASONS;

export const REASONS: readonly ErrorReason[] = /* @__PURE__ */ Object.keys(ERROR_REASONS).filter(isReason);

function isReason(name: string): name is ErrorReason {
  return Object.hasOwn(ERROR_REASONS, name);
}

export type NameOf = (argument: string) => string;

type Wording = string | ((nameOf: NameOf) => string);

interface SpentBudget {
  readonly endpoint: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

interface ErrorDetails {
  readonly cause?: unknown;
  /** Whole real seconds. */
  readonly retryAfter?: number | undefined;
  readonly argument?: string | undefined;
  readonly all?: readonly DomainError[] | undefined;
  readonly budget?: SpentBudget | undefined;
}

/** An error for the caller: what was wrong and what is accepted. Keys are removed, since answers are logged. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly reason: ErrorReason;
  readonly retryAfter: number | undefined;
  readonly argument: string | undefined;
  readonly budget: SpentBudget | undefined;
  readonly #wording: Wording;
  readonly #all: readonly DomainError[];

  constructor(reason: ErrorReason, wording: Wording, details: ErrorDetails = {}) {
    const { cause, retryAfter, argument, all, budget } = details;
    super(withoutKeys(worded(wording, (name) => name)), cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.code = ERROR_REASONS[reason].code;
    this.retryAfter = retryAfter;
    this.argument = argument === undefined ? undefined : withoutKeys(argument);
    this.budget = budget;
    this.#wording = wording;
    this.#all = all ?? [];
  }

  get refusals(): readonly DomainError[] {
    if (this.#all.length > 0) return this.#all;
    return this.argument === undefined ? [] : [this];
  }

  /** The same error for an interface whose arguments have other names. */
  translated(nameOf: NameOf): DomainError {
    const { cause, retryAfter, argument, budget } = this;
    return new DomainError(this.reason, worded(this.#wording, nameOf), {
      cause,
      retryAfter,
      budget,
      argument: argument === undefined ? undefined : nameOf(argument),
      all: this.#all.map((one) => one.translated(nameOf)),
    });
  }
}

function worded(wording: Wording, nameOf: NameOf): string {
  return typeof wording === 'string' ? wording : wording(nameOf);
}

/** The service cannot start with these settings or on this system; the message is for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function refused(argument: string, mustBe: Wording, given: unknown): DomainError {
  const wording: Wording = (nameOf) => `${nameOf(argument)} must be ${worded(mustBe, nameOf)} (got ${quoted(given)}).`;
  return new DomainError('invalid_parameter', wording, { argument });
}

/** Throws BAD_REQUEST otherwise; never clamps. */
export function wholeNumberWithin(name: string, value: unknown, { min, max }: { min: number; max: number }): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw refused(name, `a whole number from ${min} to ${max}`, value);
}

/** Runs every check. Throws one error for all refused arguments, with the first one's message. Other errors are thrown at once. */
export function checkAll(checks: readonly (() => unknown)[]): void {
  checkEach(checks, (check) => check());
}

export function checkEach<Item>(items: readonly Item[], check: (item: Item) => unknown): void {
  let refusals: readonly DomainError[] = [];
  for (const item of items) {
    try {
      check(item);
    } catch (error) {
      if (!(error instanceof DomainError) || error.refusals.length === 0) throw error;
      refusals = [...refusals, ...error.refusals];
    }
  }
  const [first] = refusals;
  if (first === undefined) return;
  if (refusals.length === 1) throw first;
  throw new DomainError(first.reason, (nameOf) => first.translated(nameOf).message, {
    argument: first.argument,
    all: refusals,
  });
}

const LONGEST = 60;

export function quoted(value: unknown): string {
  if (value === undefined) return 'nothing';
  // JSON turns NaN and infinities into null, which would hide the input; a long row of digits parses as infinity.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const text = jsonText(value);
  return text.length <= LONGEST ? text : `${beginning(text, LONGEST)}...`;
}

/** Never ends with half of a surrogate pair, which PostgreSQL refuses in the audit, as strict readers of JSON do. */
export function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** JSON has no text for functions, symbols, cycles and very deep values: those are named by their kind. */
function jsonText(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text ?? typeof value;
  } catch {
    return Array.isArray(value) ? 'a list' : 'an object';
  }
}
