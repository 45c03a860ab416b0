import { type DestinationStream, pino, type Logger } from 'pino';

import { requestId } from './request-id.ts';
import { KEYS } from './rules/keys.ts';

/** Keys, their hashes and other secrets of that form: a database's errors repeat the statement with its values. */
const SECRETS = /(pk_live_)?[0-9a-f]{32,}/gi;
/** Shorter settings are no secrets, and to hide them would garble every line. */
const SHORTEST_SECRET = 6;

/**
 * Structured lines on standard output; those of a request carry its id. Keys, hashes and authorization never reach
 * them, nor do `secrets`, wherever in a line they would stand.
 */
export function makeLogger(
  level: string,
  destination: DestinationStream = process.stdout,
  secrets: readonly string[] = [],
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: withoutBaggage },
    redact: ['*.apiKey', '*.api_key', '*.authorization', '*.password', '*.keyHash'],
    mixin: () => {
      const id = requestId();
      return id === undefined ? {} : { requestId: id };
    },
    hooks: { streamWrite: hiding(secrets) },
  };
  return pino(options, destination);
}

/** Takes keys and `secrets` out of a line, these as they are and as JSON writes them. Callers' own ids and hashes of content stay. */
function hiding(secrets: readonly string[]): (line: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .toSorted((left, right) => right.length - left.length);
  return (line) => forms.reduce((text, form) => text.replaceAll(form, '[hidden]'), line.replaceAll(KEYS, '[hidden]'));
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

/** Where log lines go: standard output, one JSON object a line, or for people, in words and colours. */
export async function openLogOutput(format: 'json' | 'pretty'): Promise<DestinationStream> {
  if (format === 'json') return process.stdout;
  const { default: pretty } = await import('pino-pretty');
  // Written at once: the last lines before an end are the ones that matter.
  return pretty({
    colorize: process.stdout.isTTY,
    destination: 1,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId',
  });
}

export type { Logger };
