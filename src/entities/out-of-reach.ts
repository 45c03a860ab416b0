/**
 * What PostgreSQL says while it cannot do what it is asked, whoever asks: connection lost (08), resources such as
 * connections, memory and disk used up (53), stopping, starting or cut by the operator (57P), a session of ours that
 * stood still inside a transaction (25P03), a standby (25006), and files that cannot be read or written (58030).
 */
const STATES = /^(08|53|57P|25P03$|25006$|58030$)/;

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
  'OUT_OF_PATIENCE',
]);

/** What pg says of lost and late connections: it gives these no code. */
const WORDS_OF_PG = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'timeout expired',
]);

/** PostgreSQL's code for a statement that took longer than it may. */
const STOPPED_STATEMENT = '57014';

/** Whether an error, or a cause of it, means that the database cannot be used now: the same may well succeed shortly. */
export function isOutOfReach(error: unknown): boolean {
  return chain(error).some(
    ({ code, message }) => STATES.test(code) || SYSTEM_CODES.has(code) || WORDS_OF_PG.has(message),
  );
}

/** Whether the database stopped a statement that took too long. */
export function isStopped(error: unknown): boolean {
  return chain(error).some(({ code }) => code === STOPPED_STATEMENT);
}

/** An error and its causes; the parts of one that is many, such as a failure at each address of a name, too. */
function chain(error: unknown): { code: string; message: string }[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const parts = error instanceof AggregateError ? error.errors : [];
  return [{ code, message: error.message }, ...chain(error.cause), ...parts.flatMap(chain)];
}
