import { HourcastError } from '../errors.ts';

export const EXIT = {
  done: 0,
  /** The service refused, or a check failed. */
  failed: 1,
  /** Wrong usage: unknown, missing or invalid arguments. */
  usage: 2,
  /** The service is unreachable or unavailable. */
  unreachable: 3,
  /** No key, or an invalid one. */
  key: 4,
  interrupted: 130,
  terminated: 143,
} as const;

/** For the help. */
export const EXIT_CODES = `  0  done
  1  refused by the service, or a check failed
  2  wrong usage
  3  the service is out of reach
  4  no key, or one that is not valid
  130, 143  ended by Ctrl-C or SIGTERM`;

/** Wrong usage: unknown, missing or invalid arguments. */
export class UsageError extends Error {}

/** The command needs a key, and there is none. */
export class NoKeyError extends Error {
  constructor() {
    super('This needs the key of an agent: set HOURCAST_KEY, or run "hourcast-client register NAME" in this folder.');
  }
}

/** A signal ended the command. */
export class Interrupted extends Error {
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Ended by ${signal}.`);
    this.signal = signal;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return error.signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof NoKeyError) return EXIT.key;
  if (!(error instanceof HourcastError)) return EXIT.failed;
  const { code, status } = error;
  if (code === 'malformed_settings') return EXIT.usage;
  if (code === 'malformed_key' || status === 401) return EXIT.key;
  return status === null || [502, 503, 504].includes(status) ? EXIT.unreachable : EXIT.failed;
}
