import { EventEmitter } from 'node:events';

import { type BackendFactory, createPostgresBackend } from 'bullmq';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { type DatabaseConnection, independentOptions, KEEP_ALIVE, withClient } from '../database/connection.ts';
import { patchClients } from '../database/primary.ts';
import type { Allowance, Backplane, Bus, Change, DriverOptions, Limiter, OpenQueue, Queue } from './backplane.ts';
import { openBullmqQueue } from './bullmq-queue.ts';
import { type LimitName, LIMITS } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';

export function openLocalBackplane(connection: DatabaseConnection, { report }: DriverOptions): Backplane {
  let isOpen = true;
  // BullMQ does not wait until its last connections have closed; PostgreSQL then cuts them.
  const openQueue = postgresQueues(connection, (error) => void (isOpen && report(error)));
  return {
    openQueue,
    bus: localBus(),
    limiter: memoryLimiter(),
    relay: null,
    // The queue is up if the database is, which has its own status.
    status: () => [
      { part: 'queue', driver: 'postgresql', up: true },
      { part: 'bus', driver: 'local', up: true },
      { part: 'limiter', driver: 'memory', up: true },
    ],
    close: async () => {
      isOpen = false;
    },
  };
}

/**
 * A temporary service without Redis runs no jobs. Those that it would add belong to the service beside it, whose queue may
 * be in Redis.
 */
export function queueOfOwnJobs({ openQueue }: Pick<Backplane, 'openQueue'>): OpenQueue {
  return async (options) => (options.run === null ? NO_QUEUE : openQueue(options));
}

const NO_QUEUE: Queue = {
  add: async () => {},
  counts: async () => ({ waiting: 0, delayed: 0, active: 0, failed: 0 }),
  jobs: async () => [],
  close: async () => {},
};

export function localBus(): Bus {
  const [nudges, changes] = [channel<[]>(), channel<[change: Change]>()];
  return { nudge: nudges.send, onNudge: nudges.listen, publish: changes.send, onChange: changes.listen };
}

function channel<Sent extends unknown[]>() {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    send: (...sent: Sent): void => void emitter.emit('sent', ...sent),
    listen: (listener: (...sent: Sent) => void) => {
      emitter.on('sent', listener);
      return () => void emitter.off('sent', listener);
    },
  };
}

const SCHEMA = 'bullmq';

/** An account that may not create BullMQ's tables uses those that another account has created. */
export function postgresQueues(connection: DatabaseConnection, report: (error: Error) => void): OpenQueue {
  patchClients();
  return async (options) => {
    const pool = { ...connection, ...KEEP_ALIVE, schema: SCHEMA, ...(await poolOptions(connection)), max: 1 };
    const factory: BackendFactory = (name, given, extra) =>
      createPostgresBackend(name, { ...given, connection: pool }, extra);
    return openBullmqQueue({ producer: factory, consumer: factory, awaitReady: true, report }, options);
  };
}

async function poolOptions(connection: DatabaseConnection): Promise<{ migrate: boolean; options: string }> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ can: boolean }>(
      `select has_database_privilege(current_database(), 'create') as can`,
    );
    return { migrate: rows[0]?.can ?? false, options: await independentOptions(client) };
  });
}

/** About 1 KB each, over all limits, so that a flood of addresses cannot fill the memory. */
const MAX_WINDOWS = 50_000;

export function memoryLimiter(maxWindows = MAX_WINDOWS): Limiter {
  /** Deletes each window; only its begin counts as use. */
  const began = new LRUCache<string, () => void>({
    max: maxWindows,
    dispose: (forget, _key, reason) => {
      if (reason === 'evict') forget();
    },
  });
  return fixedWindows(({ name, points, duration }) => {
    const windows = new RateLimiterMemory({ points, duration });
    return {
      async consume(key, uses) {
        const counted = await windows.consume(key, uses);
        if (counted.isFirstInDuration) began.set(`${name} ${key}`, () => void windows.delete(key));
        return counted;
      },
      get: (key) => windows.get(key),
    };
  });
}

const NOTHING = () => Promise.resolve(null);

export const noLimiter: Limiter = { countsNothing: true, count: NOTHING, peek: NOTHING };

export interface Window {
  readonly name: LimitName;
  readonly points: number;
  readonly duration: number;
}

/** Rejects with the library's `RateLimiterRes` above the limit. */
export interface Windows {
  consume(key: string, uses: number): Promise<RateLimiterRes>;
  get(key: string): Promise<RateLimiterRes | null>;
}

export function fixedWindows(open: (window: Window) => Windows): Limiter {
  const windows = new Map<LimitName, Windows>();
  const windowsOf = (name: LimitName): Windows => {
    const { requests, windowMs } = LIMITS[name];
    const found = windows.get(name) ?? open({ name, points: requests, duration: windowMs / SECOND });
    windows.set(name, found);
    return found;
  };
  return {
    async count(limit, key, uses = 1) {
      try {
        return allowanceOf(limit, await windowsOf(limit).consume(key, uses));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const allowance = allowanceOf(limit, refusal);
        return { ...allowance, retryAfterSeconds: allowance.resetSeconds };
      }
    },
    async peek(limit, key) {
      const found = await windowsOf(limit).get(key);
      return found && allowanceOf(limit, found);
    },
  };
}

function allowanceOf(limit: LimitName, counted: RateLimiterRes): Allowance {
  const { remainingPoints: remaining, msBeforeNext } = counted;
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / SECOND));
  return { limit: LIMITS[limit].requests, remaining, resetSeconds, retryAfterSeconds: null };
}
