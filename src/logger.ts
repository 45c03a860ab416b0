import { pino, type Logger } from 'pino';

/** Structured lines on standard output. Keys and authorization never reach them. */
export function makeLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['*.apiKey', '*.api_key', '*.authorization', '*.password', '*.keyHash'],
  });
}

export type { Logger };
