import { StartError } from '../rules/errors.ts';

/**
 * SQLSTATEs of an unavailable database: 08 connection lost; 53 out of connections, memory or disk; 57P stopping, starting
 * or ended by the operator. 25P03 is an idle transaction's timeout, 25P02 a transaction that failed earlier, 25006 a
 * standby, 58030 an I/O error.
 */
const STATES = /^(08|53|57P|25P0[23]$|25006$|58030$)/;

/** The system's codes for failed and lost connections, beside `ENOENT` of a socket's file. */
const SYSTEM_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'DEADLINE_EXCEEDED',
]);

/**
 * Messages of pg about lost and late connections, and of PostgreSQL about transactions on a standby, which have no
 * code.
 */
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

/** A lock was not free within `lock_timeout`, or at once with `nowait`. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** An object cannot be dropped while others depend on it. */
export const STILL_NEEDED = '2BP01';

/** A write on a server that accepts none, such as a standby. */
export const READ_ONLY = '25006';

/** The account lacks a right. */
export const DENIED = '42501';

export const DEADLOCK = '40P01';

/** True if the error, or a cause of it, means that the database is unavailable and a retry may succeed. */
export function isOutOfReach(error: unknown): boolean {
  return chain(error).some(
    ({ code, message, syscall }) =>
      STATES.test(code) || SYSTEM_CODES.has(code) || WORDS.has(message) || (code === 'ENOENT' && syscall === 'connect'),
  );
}

/** A refused account or database, which the operator must mend. */
const REFUSES_SESSION = /^(28|3D)/;

/** Throws a `StartError` if the database refuses the session or a right, or is unavailable; otherwise the error itself. */
export function refuseUnusable(cause: unknown): never {
  if (cause instanceof StartError) throw cause;
  if (hasCode(cause, DENIED)) {
    const remedy = 'start once as the owner, then run the grants of docs/security.md';
    throw new StartError(`The database role lacks a right (${reason(cause)}): ${remedy}.`, { cause });
  }
  if (!isOutOfReach(cause) && !REFUSES_SESSION.test(codeOf(cause))) throw cause;
  throw new StartError(`The database of DATABASE_URL cannot be used: ${reason(cause)}`, { cause });
}

/** True if a statement exceeded its timeout. */
export function isStopped(error: unknown): boolean {
  return hasCode(error, '57014');
}

const UNIQUE_VIOLATION = '23505';

/** True if a row exists with the key of this unique constraint. */
export function isDuplicate(error: unknown, constraint: RegExp): boolean {
  return codeOf(error) === UNIQUE_VIOLATION && constraint.test(textOf(error, 'constraint') ?? '');
}

/** True if PostgreSQL cannot store a text, such as one with a NUL character. */
export function isUnstorableText(error: unknown): boolean {
  return hasCode(error, '22021', '22P05');
}

/** True if the error or a cause of it has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return chain(error).some(({ code }) => codes.includes(code));
}

/** An error, its causes and the parts of an aggregate, such as a failure at each address of a name. */
function chain(error: unknown): { code: string; message: string; syscall: string | undefined }[] {
  if (!(error instanceof Error)) return [];
  const code = codeOf(error);
  const parts = error instanceof AggregateError ? error.errors : [];
  const own = { code, message: error.message, syscall: textOf(error, 'syscall') };
  return [own, ...chain(error.cause), ...parts.flatMap(chain)];
}

/** The code of an error of the system or of PostgreSQL, such as `ENOENT` or `55P03`; else empty. */
export const codeOf = (error: unknown): string => textOf(error, 'code') ?? '';

/**
 * The reason why a program or a query failed, in one line, from its own output if there is any. An aggregate has the reasons
 * of its parts, such as a failure at each address of a name.
 */
export function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  const words = textOf(error, 'stderr')?.trim() || textOf(error, 'message')?.trim() || String(error);
  return words.replaceAll(/\s*\n\s*/g, ' / ');
}

/** The reason why a request by `fetch` failed: the cause of its error, which itself only has "fetch failed". */
export function reasonOfFetch(error: unknown): string {
  return reason(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}

function textOf(error: unknown, name: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
