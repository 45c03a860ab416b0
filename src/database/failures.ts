/**
 * What PostgreSQL says while it cannot do what it is asked, whoever asks: connection lost (08), resources such as
 * connections, memory and disk used up (53), stopping, starting or cut by the operator (57P), a session of ours that
 * stood still inside a transaction (25P03), a transaction that an earlier error has ended (25P02), a standby (25006), and
 * files that cannot be read or written (58030).
 */
const STATES = /^(08|53|57P|25P0[23]$|25006$|58030$)/;

/** What the system says where no connection can be had or held. */
const SYSTEM_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'DEADLINE_EXCEEDED',
]);

/** What pg says of lost and late connections, and PostgreSQL of a standby's transactions: there is no code for these. */
const WORDS = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'cannot assign TransactionIds during recovery',
  'timeout exceeded when trying to connect',
  'timeout expired',
]);

/** PostgreSQL's code for a lock that was not free within `lock_timeout`, or at once where that was asked for. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** PostgreSQL's code for what cannot be dropped, since something else needs it. */
export const STILL_NEEDED = '2BP01';

/** PostgreSQL's code for a write where none is taken, such as on a standby. */
export const READ_ONLY = '25006';

/** PostgreSQL's code for two that would have waited for each other, of which this one was ended. */
export const DEADLOCK = '40P01';

/** PostgreSQL's code for a statement that took longer than it may. */
const STOPPED_STATEMENT = '57014';

/** Whether an error, or a cause of it, means that the database cannot be used now: the same may well succeed shortly. */
export function isOutOfReach(error: unknown): boolean {
  return chain(error).some(({ code, message }) => STATES.test(code) || SYSTEM_CODES.has(code) || WORDS.has(message));
}

/** Whether the database stopped a statement that took too long. */
export function isStopped(error: unknown): boolean {
  return chain(error).some(({ code }) => code === STOPPED_STATEMENT);
}

/** PostgreSQL's codes for a text that it cannot hold, such as one with a NUL character. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);

/** Whether the database was given a text that it cannot hold. */
export function isUnstorableText(error: unknown): boolean {
  return chain(error).some(({ code }) => UNSTORABLE_TEXT.has(code));
}

/** An error and its causes; the parts of one that is many, such as a failure at each address of a name, too. */
function chain(error: unknown): { code: string; message: string }[] {
  if (!(error instanceof Error)) return [];
  const code = codeOf(error);
  const parts = error instanceof AggregateError ? error.errors : [];
  return [{ code, message: error.message }, ...chain(error.cause), ...parts.flatMap(chain)];
}

/** The code that the system or PostgreSQL gave an error, such as `ENOENT` or `55P03`; empty when it has none. */
export const codeOf = (error: unknown): string => textOf(error, 'code') ?? '';

/** Why a program or a query failed, in its own words when it wrote any; one line. */
export function reason(error: unknown): string {
  const words = textOf(error, 'stderr')?.trim() || textOf(error, 'message')?.trim() || String(error);
  return words.replaceAll(/\s*\n\s*/g, ' / ');
}

function textOf(error: unknown, name: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
