import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { localBus } from '../../src/backplane/local-bus.ts';
import { memoryLimiter, noLimiter } from '../../src/backplane/memory-limiter.ts';
import { anchorClock } from '../../src/clock-anchor.ts';
import { openOrm } from '../../src/entities/orm.ts';
import { openFeed } from '../../src/feed/feed.ts';
import type { Intervals } from '../../src/feed/intervals.ts';
import { openHttp } from '../../src/http.ts';
import { STATEMENT_MS } from '../../src/limits.ts';
import { makeLogger } from '../../src/logger.ts';
import type { OperatingNeeds } from '../../src/operating/doors.ts';
import type { ServerPatience } from '../../src/operating/http-server.ts';
import { NotDecidableYet, resolveRound } from '../../src/jobs/resolution.ts';
import { reconcile } from '../../src/jobs/round-cycle.ts';
import { predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import type { Market } from '../../src/market/market.ts';
import { addHours, HOUR, hourOf } from '../../src/rules/hours.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { type ScriptedMarket, scriptedMarket } from './scripted-market.ts';

/** The whole service on a database of its own, at a time that the test sets; rounds turn when the test says so. */
export interface TestService {
  readonly url: string;
  readonly clock: ManualClock;
  readonly market: ScriptedMarket;
  readonly newEm: () => SqlEntityManager;
  /** What the service reported as internal errors. */
  readonly reported: unknown[];
  /** The lines that it logged, each of them JSON. */
  readonly logged: readonly string[];
  /** Brings the rounds to the clock's present and resolves what waits, where candles allow. */
  turn(): Promise<void>;
  /** Tells the feed that the log has grown, as a job does after its commit. */
  nudge(): void;
  /** Moves the clock to `minutes` past the next hour, and turns. */
  nextHour(minutes?: number): Promise<void>;
  stop(): Promise<void>;
  /** One request; `body` goes as JSON. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  // Answers are whatever the service says: tests compare them whole.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Headers;
}

export interface ServiceSettings {
  readonly start?: string;
  readonly rateLimits?: boolean;
  readonly lockMs?: number;
  readonly keyPepper?: string;
  /** Where prices come from; unset: the scripted market, which answers for itself all the same. */
  readonly prices?: Market;
  readonly adminToken?: string;
  /** Unset: nothing is logged. */
  readonly logLevel?: string;
  /** What the operators' doors look at, where that is not the service's own. */
  readonly operating?: Partial<OperatingNeeds>;
  /** How long callers are waited for. */
  readonly patience?: Partial<ServerPatience>;
  readonly trustProxy?: boolean | number | string;
  /** How long a statement of the API may take. */
  readonly statementMs?: number;
  /** How often the feed does what it does by itself; unset: it tells nothing unless something happens. */
  readonly intervals?: Partial<Intervals>;
  /** Open connections of the feed, of one address. */
  readonly connectionsPerAddress?: number;
  /** One that a service ran on before, or runs on at the same time; it is left as it is. */
  readonly database?: TestDatabase;
}

const QUIET: Partial<Intervals> = { heartbeatMs: HOUR, marketMs: HOUR };

/** Starts the service at 2026-01-01 12:10 UTC unless told otherwise, without limits unless asked for. */
export async function startService(settings: ServiceSettings = {}): Promise<TestService> {
  const stack = new AsyncDisposableStack();
  const database = settings.database ?? (await createTestDatabase());
  if (settings.database === undefined) stack.defer(() => database.drop());
  const orm = await openOrm(database.connection);
  stack.defer(() => orm.close(true));
  const newEm = (): SqlEntityManager => orm.em.fork();
  const apiOrm = await openOrm(database.connection, 10, settings.statementMs ?? STATEMENT_MS);
  stack.defer(() => apiOrm.close(true));
  const clock = manualClock(settings.start ?? '2026-01-01T12:10:00Z');
  const scripted = scriptedMarket();
  const market = settings.prices ?? scripted;
  await anchorClock(newEm(), { clockStart: clock.now(), clockSpeed: 1 }, clock.now());
  const reported: unknown[] = [];
  const bus = localBus();
  const feed = await openFeed({ newEm, bus, report: (error) => reported.push(error) });
  stack.defer(() => feed.stop());
  const turn = async (): Promise<void> => {
    const waiting = await reconcile({ newEm, market }, clock.now());
    for (const id of waiting) await resolveWherePossible({ newEm, market }, id, clock.now());
    bus.nudge();
  };
  const lockMs = settings.lockMs ?? 0;
  const limiter = settings.rateLimits ? memoryLimiter() : noLimiter;
  const logged: string[] = [];
  const http = await openHttp({
    schema: makeSchema(),
    services: {
      newEm: () => apiOrm.em.fork(),
      clock,
      market,
      limiter,
      writer: predictionWriter(newEm, clock, lockMs),
      reconcile: turn,
      randomBytes,
      keyPepper: settings.keyPepper,
      lockMs,
      version: '9.9.9',
    },
    newExportEm: newEm,
    feed,
    operating: {
      newEm,
      clock,
      market,
      feed,
      limiter,
      backplane: { status: () => [], counts: async () => ({}), nativeQueues: () => [] },
      pools: () => ({ jobs: orm.poolUse(), api: apiOrm.poolUse() }),
      announce: () => bus.nudge(),
      adminToken: settings.adminToken,
      processMetrics: null,
      turnAwayMs: 0,
      randomBytes,
      log: makeLogger(settings.logLevel ?? 'silent', { write: (line) => void logged.push(line) }),
      report: (error) => reported.push(error),
      ...settings.operating,
    },
    patience: settings.patience,
    trustProxy: settings.trustProxy ?? false,
    intervals: { ...QUIET, ...settings.intervals },
    connectionsPerAddress: settings.connectionsPerAddress,
    report: (error) => reported.push(error),
  });
  stack.defer(() => http.close());
  await new Promise<void>((resolve) => http.server.listen(0, '127.0.0.1', resolve));
  const url = urlOf(http.server);
  await turn();
  return {
    url,
    clock,
    market: scripted,
    newEm,
    reported,
    logged,
    turn,
    nudge: () => bus.nudge(),
    async nextHour(minutes = 10) {
      clock.set(new Date(addHours(hourOf(clock.now()), 1).getTime() + minutes * 60_000));
      await turn();
    },
    request: (method, path, options) => send(url + path, method, options),
    stop: () => stack.disposeAsync(),
  };
}

async function resolveWherePossible(needs: Parameters<typeof resolveRound>[0], id: number, now: Date): Promise<void> {
  try {
    await resolveRound(needs, id, { now, attempt: 1 });
  } catch (error) {
    if (!(error instanceof NotDecidableYet)) throw error;
  }
}

async function send(url: string, method: string, { body, key, headers }: RequestOptions = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
}

export function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return `http://127.0.0.1:${address.port}`;
}
