import { EventEmitter } from 'node:events';

import { type BackendFactory, createPostgresBackend } from 'bullmq';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { type DatabaseConnection, independentOptions, withClient } from '../database/connection.ts';
import { patchClients } from '../database/primary.ts';
import type { Allowance, BackplaneDriver, Bus, Change, DriverOptions, Limiter, OpenQueue } from './backplane.ts';
import { openBullmqQueue } from './bullmq-queue.ts';
import { LIMIT_NAMES, type LimitName, LIMITS } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';

export function openLocalBackplane(connection: DatabaseConnection, { report }: DriverOptions): BackplaneDriver {
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

const NUDGE = 'nudge';
const CHANGE = 'change';

export function localBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    nudge: () => {
      emitter.emit(NUDGE);
    },
    onNudge: (listener) => {
      emitter.on(NUDGE, listener);
      return () => emitter.off(NUDGE, listener);
    },
    publish: (change) => {
      emitter.emit(CHANGE, change);
    },
    onChange: (listener: (change: Change) => void) => {
      emitter.on(CHANGE, listener);
      return () => emitter.off(CHANGE, listener);
    },
  };
}

const SCHEMA = 'bullmq';

/** An account that may not create BullMQ's tables uses those that another account has created. */
export function postgresQueues(connection: DatabaseConnection, report: (error: Error) => void): OpenQueue {
  patchClients();
  return async (options) => {
    const pool = { ...connection, schema: SCHEMA, ...(await poolOptions(connection)), max: 1 };
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
  const windows = new Map<string, Windows>();
  for (const name of LIMIT_NAMES) {
    const { requests, windowMs } = LIMITS[name];
    windows.set(name, open({ name, points: requests, duration: windowMs / SECOND }));
  }
  const windowsOf = (limit: LimitName): Windows => {
    const found = windows.get(limit);
    if (found === undefined) throw new Error(`The limiter has no window for the limit ${limit}`);
    return found;
  };
  return {
    async count(limit, key, uses = 1) {
      try {
        return allowanceOf(limit, await windowsOf(limit).consume(key, uses));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const resetSeconds = secondsTo(refusal);
        return { limit: LIMITS[limit].requests, remaining: 0, resetSeconds, retryAfterSeconds: resetSeconds };
      }
    },
    async peek(limit, key) {
      const found = await windowsOf(limit).get(key);
      return found && allowanceOf(limit, found);
    },
  };
}

function allowanceOf(limit: LimitName, counted: RateLimiterRes): Allowance {
  const { requests } = LIMITS[limit];
  return {
    limit: requests,
    remaining: counted.remainingPoints,
    resetSeconds: secondsTo(counted),
    retryAfterSeconds: null,
  };
}

function secondsTo({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / SECOND));
}
