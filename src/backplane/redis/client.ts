import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';

import { SECOND } from '../../rules/hours.ts';
import type { RedisAddress } from './address.ts';
import { StartError } from '../../rules/errors.ts';

/** What a connection is for, which decides its timeouts and retries. */
export type Purpose = keyof typeof PURPOSES;

const LONGEST_PAUSE_MS = SECOND;
/** A connection that still stands so long after an error has not suffered from it. */
const HARMLESS_MS = 100;

const PURPOSES = {
  /** Short commands of callers who can do without: they fail at once while Redis is away, and soon when it is silent. */
  commands: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: SECOND,
    socketTimeout: 2 * SECOND,
  },
  /** Waiting for jobs and messages: for as long as it takes. */
  waiting: { maxRetriesPerRequest: null },
} as const satisfies Record<string, RedisOptions>;

/** A client that connects by itself, again and again, until it is disconnected. Its state is kept in `outage` by name. */
export function openRedis(address: RedisAddress, purpose: Purpose, options: RetryOptions): Redis {
  const client = newClient(address, purpose, (times) => (options.isEnding() ? null : pauseBefore(times)));
  watchConnection(client, options);
  return client;
}

export interface WatchOptions {
  readonly name: string;
  readonly outage: Outage;
}

export interface RetryOptions extends WatchOptions {
  /** Whether a connection that is lost stays lost. */
  readonly isEnding: () => boolean;
}

/** Keeps the state of `client`'s connection in `outage`. */
export function watchConnection(client: Redis, { name, outage }: WatchOptions): void {
  let reason = new Error('The connection was closed');
  client.on('error', (error: Error) => {
    reason = error;
    outage.failed(name, reason);
    setTimeout(() => {
      if (client.status === 'ready') outage.works(name);
    }, HARMLESS_MS).unref();
  });
  client.on('close', () => {
    if (client.status !== 'end') outage.failed(name, reason);
  });
  client.on('end', () => outage.works(name));
  client.on('ready', () => outage.works(name));
}

/** Hands every duplicate of `client` to `take` before who asked for it gets it. */
export function takeDuplicates(client: Redis, take: (duplicate: Redis) => void): Redis {
  const original = client.duplicate.bind(client);
  return Object.assign(client, {
    duplicate: (...parameters: Parameters<Redis['duplicate']>) => {
      const duplicate = original(...parameters);
      take(duplicate);
      return duplicate;
    },
  });
}

/** Resolves when `client` is connected. */
export function connected(client: Redis): Promise<void> {
  return client.status === 'ready' ? Promise.resolve() : firstOf(client, ['ready']);
}

/** Resolves when `client` has failed once, and not before. */
export function failedOnce(client: Redis): Promise<void> {
  return firstOf(client, ['error', 'close']);
}

/** Resolves when `client` is connected or has given up. */
export function settled(client: Redis): Promise<void> {
  return client.status === 'end' ? Promise.resolve() : Promise.race([connected(client), firstOf(client, ['end'])]);
}

function firstOf(client: Redis, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of events) client.once(event, () => resolve());
  });
}

function newClient(address: RedisAddress, purpose: Purpose, retryStrategy: RetryStrategy): Redis {
  return new Redis({
    ...connectionOptions(address, purpose),
    retryStrategy,
    // Behind one address another server may have taken over: the one that led before takes no more writes.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
}

/** How the server of `address` is reached. */
export function connectionOptions(address: RedisAddress, purpose: Purpose) {
  const { host, port, database, user, password } = address;
  const tls = tlsOf(address);
  return {
    ...PURPOSES[purpose],
    host,
    port,
    db: database,
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
    connectTimeout: 5 * SECOND,
    keepAlive: 10 * SECOND,
    disconnectTimeout: SECOND / 5,
  } satisfies RedisOptions;
}

/** Real milliseconds before the connection is tried again; null: never. */
type RetryStrategy = (times: number) => number | null;

function pauseBefore(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS);
}

function tlsOf({ tls, tlsFiles }: RedisAddress): ConnectionOptions | undefined {
  if (!tls) return undefined;
  return Object.fromEntries(Object.entries(tlsFiles).map(([name, path]) => [name, fileOf(name, path)]));
}

function fileOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`REDIS_URL cannot be used: its parameter ${name} takes a file that can be read (${why})`, {
      cause,
    });
  }
}

/** Keeps what does not work at present, so that an outage is reported once, however many calls fail in it. */
export interface Outage {
  /** `what` does not work; the first call reports the outage, with this error. */
  failed(what: string, error: Error): void;
  /** `what` works again; the last call reports the recovery. */
  works(what: string): void;
  /** Whether all of these work. */
  allWork(...whats: readonly string[]): boolean;
}

export interface OutageNews {
  readonly lost: (error: Error) => void;
  readonly back: () => void;
}

export function watchOutage({ lost, back }: OutageNews): Outage {
  const failing = new Set<string>();
  return {
    failed(what, error) {
      const isNews = failing.size === 0;
      failing.add(what);
      if (isNews) lost(error);
    },
    works(what) {
      if (failing.delete(what) && failing.size === 0) back();
    },
    allWork: (...whats) => !whats.some((what) => failing.has(what)),
  };
}
