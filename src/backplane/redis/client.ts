import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';

import { reason } from '../../database/failures.ts';
import { SECOND } from '../../rules/hours.ts';
import type { RedisAddress } from './address.ts';
import { StartError } from '../../rules/errors.ts';

export type Purpose = keyof typeof PURPOSES;

const LONGEST_PAUSE_MS = SECOND;
/** A connection that survives an error for this long works. */
const ERROR_GRACE_MS = 100;

const PURPOSES = {
  /** Callers can do without: commands fail at once while Redis is away, and soon when it is silent. */
  commands: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: SECOND,
    socketTimeout: 2 * SECOND,
  },
  /**
   * BullMQ's commands block for 10 s at most, and an idle subscriber waits for no answer. ioredis drops the promise of
   * subscriptions that it repeats: a failed one would end the process.
   */
  waiting: { maxRetriesPerRequest: null, autoResubscribe: false, socketTimeout: 15 * SECOND },
} as const satisfies Record<string, RedisOptions>;

interface WatchOptions {
  readonly name: string;
  readonly outage: Outage;
}

export function openRedis(
  address: RedisAddress,
  purpose: Purpose,
  { isEnding, ...watched }: WatchOptions & { readonly isEnding: () => boolean },
): Redis {
  const client = new Redis({
    ...connectionOptions(address, purpose),
    retryStrategy: (times) => (isEnding() ? null : Math.min(50 * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS)),
    // After a failover the old leader refuses writes at the same address. Redis 6.2 quotes a script's error in another.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
  });
  watchConnection(client, watched);
  return client;
}

export function watchConnection(client: Redis, { name, outage }: WatchOptions): void {
  let latest = new Error('The connection was closed');
  client.on('error', (error: Error) => {
    latest = error;
    outage.failed(name, latest);
    setTimeout(() => {
      if (client.status === 'ready') outage.works(name);
    }, ERROR_GRACE_MS).unref();
  });
  client.on('close', () => {
    if (client.status !== 'end') outage.failed(name, latest);
  });
  client.on('end', () => outage.works(name));
  client.on('ready', () => outage.works(name));
}

/** Calls `take` with each duplicate of `client` before its caller gets it. */
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

export function connected(client: Redis): Promise<void> {
  return client.status === 'ready' ? Promise.resolve() : firstOf(client, ['ready']);
}

export function failedOnce(client: Redis): Promise<void> {
  return firstOf(client, ['error', 'close']);
}

export function settled(client: Redis): Promise<void> {
  return client.status === 'end' ? Promise.resolve() : Promise.race([connected(client), firstOf(client, ['end'])]);
}

function firstOf(client: Redis, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of events) client.once(event, () => resolve());
  });
}

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

function tlsOf({ tls, tlsFiles }: RedisAddress): ConnectionOptions | undefined {
  if (!tls) return undefined;
  return Object.fromEntries(Object.entries(tlsFiles).map(([name, path]) => [name, fileOf(name, path)]));
}

function fileOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new StartError(`REDIS_URL must name a file that can be read in its parameter ${name} (${reason(cause)})`, {
      cause,
    });
  }
}

export type Outage = ReturnType<typeof watchOutage>;

/** Reports an outage once, however many calls fail in it. */
export function watchOutage({ lost, back }: { lost: (error: Error) => void; back: () => void }) {
  const failing = new Set<string>();
  return {
    failed(what: string, error: Error): void {
      const isNews = failing.size === 0;
      failing.add(what);
      if (isNews) lost(error);
    },
    works(what: string): void {
      if (failing.delete(what) && failing.size === 0) back();
    },
    allWork: (...whats: readonly string[]): boolean => !whats.some((what) => failing.has(what)),
  };
}
