import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { GraphQLSchema } from 'graphql';

import { assemble, type Parts } from '../../src/app/assemble.ts';
import { anchorClock } from '../../src/app/open-clock.ts';
import type { Backplane, Bus, Change, Limiter } from '../../src/backplane/backplane.ts';
import { localBus, noLimiter } from '../../src/backplane/local.ts';
import type { DatabaseConnection } from '../../src/database/connection.ts';
import { openPools } from '../../src/database/pools.ts';
import type { Statements } from '../../src/database/statements.ts';
import { listen } from '../../src/http/server.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { applyDefaultAnswers, type DefaultAnswerDeps } from '../../src/jobs/cycle/apply-default-answers.ts';
import { type RecordingDeps, recordForecasts } from '../../src/jobs/cycle/record-forecasts.ts';
import { resolveWaiting } from '../../src/jobs/resolve/waiting-rounds.ts';
import { makeLogger } from '../../src/logger.ts';
import type { Market } from '../../src/market/market.ts';
import { addHours, HOUR, hourOf, MINUTE } from '../../src/rules/hours.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import type { Picks } from '../../src/rules/predictions.ts';
import type { WebhookReach } from '../../src/rules/webhooks.ts';
import type { LogDeps } from '../../src/transparency/append.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { recording } from './queues.ts';
import { holdToReference } from './reference.ts';
import { type ScriptedMarket, scriptedMarket } from './scripted-market.ts';
import { stillLimiter } from './still-limiter.ts';

/** The whole service on its own database, with a clock and turns that the test controls. */
export interface TestService extends LogDeps {
  readonly randomBytes: (count: number) => Buffer;
  readonly url: string;
  readonly clock: ManualClock;
  readonly market: ScriptedMarket;
  readonly newEm: () => SqlEntityManager;
  /** On the connections of jobs, like `newEm`. */
  readonly statements: Statements;
  /** On the connections of submissions. */
  readonly submissions: Statements;
  /** Reported internal errors. */
  readonly reported: unknown[];
  /** Its log lines, each of them JSON. */
  readonly logged: readonly string[];
  /** Brings the rounds to the clock's time and resolves those with candles. */
  turn(): Promise<void>;
  /** Notifies the feed, as a job does after its commit. */
  nudge(): void;
  /** Publishes a change without an event, as the service does. */
  tell(change: Change): void;
  /** Moves the clock to `minutes` past the next hour, and turns. */
  nextHour(minutes?: number): Promise<void>;
  /** The same without follow-up work of decided rounds, such as boards in other orders: the next turn does it. */
  passHour(minutes?: number): Promise<void>;
  stop(): Promise<void>;
  /** `body` is sent as JSON. Rejects if the answer contradicts the reference. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  // Tests compare answers whole.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Headers;
}

/** Defaults are those of production, except for time and chance. */
export interface ServiceSettings
  extends
    Partial<Pick<Parts['http'], 'corsOrigins' | 'trustProxy'>>,
    Pick<Parts['http'], 'timeouts' | 'exporting' | 'intervals' | 'connectionsPerAddress' | 'keeping' | 'deprecations'> {
  readonly start?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** True: requests are counted, in windows that never end. */
  readonly rateLimits?: boolean | Limiter;
  readonly lockMs?: number;
  readonly picks?: Picks;
  readonly webhooks?: WebhookReach;
  readonly keyPepper?: string;
  /** Default: the scripted market, which remains available. */
  readonly prices?: Market;
  readonly adminToken?: string;
  /** Default: nothing is logged. */
  readonly logLevel?: string;
  /** The wait for load balancers at a stop; default: none. */
  readonly noticeMs?: number;
  /** Parts that processes share; default: the process's own. */
  readonly backplane?: Partial<Backplane>;
  /** Timeout of callers' statements. */
  readonly statementMs?: number;
  /** A standby of `database`. */
  readonly replica?: DatabaseConnection;
  /** The database of an earlier or concurrent service; it is not removed. */
  readonly database?: TestDatabase;
  /** A bus shared with another service; default: its own. */
  readonly bus?: Bus;
}

/** Nothing changes a schema, so the worker's services share one for each setting. */
const schemas: Partial<Record<Picks, GraphQLSchema>> = {};

/** The feed has no timers unless a test sets them. */
const QUIET = { heartbeatMs: HOUR, marketMs: HOUR };

/** The clock's minute after a turned hour. */
const USUAL_MINUTE = 10;

/** Defaults: 2026-01-01 12:10 UTC, without limits. */
export async function startService(settings: ServiceSettings = {}): Promise<TestService> {
  const stack = new AsyncDisposableStack();
  const database = settings.database ?? (await createTestDatabase());
  if (settings.database === undefined) stack.defer(() => database.drop());
  const { statementMs: readMs, replica } = settings;
  const pools = stack.use(await openPools(database.connection, { readMs, replica }));
  const newEm = pools.newEm.jobs;
  const clock = manualClock(settings.start ?? '2026-01-01T12:10:00Z');
  const scripted = scriptedMarket();
  const market = settings.prices ?? scripted;
  await anchorClock(newEm(), { clockStart: clock.now(), clockSpeed: 1 }, clock.now());
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  const logged: string[] = [];
  const log = makeLogger(settings.logLevel ?? 'silent', { write: (line) => void logged.push(line) });
  const backplane = ownBackplane(settings);
  const { bus } = backplane;
  const prices = { market, stop: async () => {} };
  const parts = { pools, clock, prices, backplane, randomBytes, log, report, reached: () => {} };
  const { http, jobs, stop } = await assemble({ ...parts, ...partsOf(settings) });
  stack.defer(stop);
  const url = await listen(http.server, { port: settings.port ?? 0, host: '127.0.0.1' });
  const { resolve, resolveAll } = resolvesByHand({
    newEm,
    market,
    clock,
    log,
    report,
    announce: bus.nudge,
    picks: settings.picks ?? 'open',
    lockMs: settings.lockMs ?? 0,
    keyPepper: settings.keyPepper,
    randomBytes,
  });
  const turn = (): Promise<void> => jobs.reconcile().then(resolveAll);
  const toNextHour = (minutes: number): void =>
    clock.set(new Date(addHours(hourOf(clock.now()), 1).getTime() + minutes * MINUTE));
  // `assemble` has brought the rounds up to date.
  await resolveAll();
  return {
    url,
    clock,
    market: scripted,
    newEm,
    statements: pools.statements.api,
    submissions: pools.statements.submissions,
    reported,
    report,
    keyPepper: settings.keyPepper,
    randomBytes,
    logged,
    turn,
    nudge: bus.nudge,
    tell: bus.publish,
    async nextHour(minutes = USUAL_MINUTE) {
      toNextHour(minutes);
      await turn();
    },
    async passHour(minutes = USUAL_MINUTE) {
      toNextHour(minutes);
      await jobs.reconcile();
      await resolve();
    },
    request: (method, path, options) => send({ url, method, path }, options),
    stop: () => stack.disposeAsync(),
  };
}

/** Tries all waiting rounds until each is decided or keeps waiting; `resolveAll` also does the follow-up work. */
function resolvesByHand(deps: Parameters<typeof resolveWaiting>[0] & RecordingDeps & DefaultAnswerDeps) {
  const resolve = () => resolveWaiting(deps, { isWanted: () => true });
  return {
    resolve,
    resolveAll: async (): Promise<void> => {
      await resolve();
      await afterResolution(deps, deps.clock.now());
      await applyDefaultAnswers(deps);
      await recordForecasts(deps);
      deps.announce();
    },
  };
}

/** A backplane for one process. Its queue does nothing: tests turn the rounds. */
function ownBackplane({ rateLimits = false, bus = localBus(), backplane }: ServiceSettings): Backplane {
  return {
    bus,
    limiter: limiterOf(rateLimits),
    relay: null,
    openQueue: async () => recording([]),
    status: () => [],
    close: async () => {},
    ...backplane,
  };
}

function limiterOf(rateLimits: boolean | Limiter): Limiter {
  if (typeof rateLimits === 'object') return rateLimits;
  return rateLimits ? stillLimiter() : noLimiter;
}

function partsOf({
  lockMs = 0,
  picks = 'open',
  webhooks = 'off',
  keyPepper,
  adminToken,
  noticeMs = 0,
  ...settings
}: ServiceSettings) {
  const { corsOrigins = [], trustProxy = false, intervals, ...bounds } = settings;
  const { timeouts, exporting, connectionsPerAddress, keeping, deprecations } = bounds;
  return {
    serves: true,
    works: false,
    witnesses: [],
    schema: (schemas[picks] ??= makeSchema(picks)),
    settings: { keyPepper, lockMs, picks, webhooks, version: '9.9.9' },
    http: {
      corsOrigins,
      trustProxy,
      timeouts,
      exporting,
      intervals: { ...QUIET, ...intervals },
      connectionsPerAddress,
      keeping,
      deprecations,
    },
    operating: { adminToken, processMetrics: null, noticeMs },
  };
}

async function send(
  { url, method, path }: { readonly url: string; readonly method: string; readonly path: string },
  { body, key, headers }: RequestOptions = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  holdToReference({ method, path, status: response.status, headers: response.headers, text });
  const json = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
}

export function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return `http://127.0.0.1:${address.port}`;
}
