import { type DestinationStream, pino, type Logger } from 'pino';

import { requestScope } from './request-scope.ts';
import { KEYS } from './rules/keys.ts';

/** Keys, hashes and similar secrets: a database's errors repeat the statement with its values. */
const SECRETS = /(pk_live_)?[0-9a-f]{32,}/gi;
const SHORTEST_SECRET = 6;

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
      const { requestId } = requestScope();
      return requestId === undefined ? {} : { requestId };
    },
    hooks: { streamWrite: hiding(secrets) },
  };
  return pino(options, destination);
}

/** Removes keys and `secrets`, plain, in JSON and percent-encoded. Callers' own ids and hashes of content stay. */
function hiding(secrets: readonly string[]): (line: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .toSorted((left, right) => right.length - left.length);
  return (line) => forms.reduce((text, form) => text.replaceAll(form, '[hidden]'), line.replaceAll(KEYS, '[hidden]'));
}

/** Libraries attach whole clients to errors, with addresses and session keys. */
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

export async function openLogOutput(format: 'json' | 'pretty'): Promise<DestinationStream> {
  if (format === 'json') return process.stdout;
  const { default: pretty } = await import('pino-pretty');
  // Synchronous: the last lines before an exit matter most.
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
