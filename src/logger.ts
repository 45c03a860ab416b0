import { type DestinationStream, pino, type Logger } from 'pino';

/** Keys, their hashes and other secrets of that form: a database's errors repeat the statement with its values. */
const SECRETS = /(pk_live_)?[0-9a-f]{32,}/gi;

/** Structured lines on standard output. Keys, hashes and authorization never reach them. */
export function makeLogger(level: string, destination: DestinationStream = process.stdout): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: withoutBaggage },
    redact: ['*.apiKey', '*.api_key', '*.authorization', '*.password', '*.keyHash'],
  };
  return pino(options, destination);
}

/** What an error says. Libraries hang whole clients on theirs, with addresses and the keys of sessions. */
function withoutBaggage(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, cause } = error;
  const message = hidden(error.message);
  const stack = hidden(error.stack ?? '');
  const code = 'code' in error ? { code: error.code } : {};
  return { name, message, ...code, stack, ...(cause === undefined ? {} : { cause: withoutBaggage(cause) }) };
}

function hidden(text: string): string {
  return text.replaceAll(SECRETS, '[hidden]');
}

export type { Logger };
