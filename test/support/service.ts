import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';

import type { MetadataStorage, SqlEntityManager } from '@mikro-orm/postgresql';

import { assemble, type Parts } from '../../src/app/assemble.ts';
import { anchorClock } from '../../src/app/open-clock.ts';
import type { Backplane, Bus, Change, Limiter } from '../../src/backplane/backplane.ts';
import { localBus, noLimiter } from '../../src/backplane/local.ts';
import type { DatabaseConnection } from '../../src/database/connection.ts';
import { openPools } from '../../src/database/pools.ts';
import type { PoolStatements, Statements } from '../../src/database/statements.ts';
import { listen } from '../../src/http/server.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { applyStanding, type StandingDeps } from '../../src/jobs/cycle/apply-standing.ts';
import { type RecordingDeps, recordForecasts } from '../../src/jobs/cycle/record-forecasts.ts';
import { resolveWaiting } from '../../src/jobs/resolve/waiting-rounds.ts';
import { makeLogger } from '../../src/logger.ts';
import type { Market } from '../../src/market/market.ts';
import { addHours, HOUR, hourOf, MINUTE } from '../../src/rules/hours.ts';
import type { Picks } from '../../src/rules/predictions.ts';
import type { WebhookReach } from '../../src/rules/webhooks.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { holdToReference } from './reference.ts';
import { type ScriptedMarket, scriptedMarket } from './scripted-market.ts';
import { stillLimiter } from './still-limiter.ts';

/** The whole service on a database of its own, at a time that the test sets; rounds turn when the test says so. */
export interface TestService {
  readonly url: string;
  readonly clock: ManualClock;
  readonly market: ScriptedMarket;
  readonly newEm: () => SqlEntityManager;
  /** Of the jobs, like `newEm`. */
  readonly statements: Statements;
  /** On the connections of submissions. */
  readonly submissions: PoolStatements;
  /** What the service reported as internal errors. */
  readonly reported: unknown[];
  /** The lines that it logged, each of them JSON. */
  readonly logged: readonly string[];
  /** Brings the rounds to the clock's present and resolves what waits, where candles allow. */
  turn(): Promise<void>;
  /** Tells the feed that the log has grown, as a job does after its commit. */
  nudge(): void;
  /** Tells that something has changed without an event, as the service does itself of what it accepts. */
  tell(change: Change): void;
  /** Moves the clock to `minutes` past the next hour, and turns. */
  nextHour(minutes?: number): Promise<void>;
  /** The same without what follows from decided rounds, such as the boards in every order: the next turn makes up for it. */
  passHour(minutes?: number): Promise<void>;
  stop(): Promise<void>;
  /** One request; `body` goes as JSON. Rejects when the answer is not what the reference says of it. */
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

/** What a test asks of the service; what is left out is as in production where that needs neither time nor chance. */
export interface ServiceSettings
  extends
    Partial<Pick<Parts['http'], 'corsOrigins' | 'trustProxy'>>,
    Pick<Parts['http'], 'timeouts' | 'exporting' | 'intervals' | 'connectionsPerAddress' | 'keeping'> {
  readonly start?: string;
  /** The port to listen on; unset: any that is free. */
  readonly port?: number;
  /** True: requests are counted, in windows that never end. */
  readonly rateLimits?: boolean | Limiter;
  readonly lockMs?: number;
  readonly picks?: Picks;
  readonly webhooks?: WebhookReach;
  readonly keyPepper?: string;
  /** Where prices come from; unset: the scripted market, which answers for itself all the same. */
  readonly prices?: Market;
  readonly adminToken?: string;
  /** Unset: nothing is logged. */
  readonly logLevel?: string;
  /** How long a stop waits for load balancers; unset: not at all. */
  readonly noticeMs?: number;
  /** What processes share, where it is not the process's own. */
  readonly backplane?: Partial<Backplane>;
  /** How long a statement of what callers read may take. */
  readonly statementMs?: number;
  /** A standby of `database`. */
  readonly replica?: DatabaseConnection;
  /** One that a service ran on before, or runs on at the same time; it is left as it is. */
  readonly database?: TestDatabase;
  /** One that is shared with another service; unset: one of its own. */
  readonly bus?: Bus;
}

/** What the first service of this worker found in the entities: the others need not search again. */
let discovered: MetadataStorage | undefined;

/** The feed does by itself nothing unless asked to. */
const QUIET = { heartbeatMs: HOUR, marketMs: HOUR };

/** Minutes past the hour at which a test finds itself after an hour. */
const USUAL_MINUTE = 10;

/** Starts the service at 2026-01-01 12:10 UTC unless told otherwise, without limits unless asked for. */
export async function startService(settings: ServiceSettings = {}): Promise<TestService> {
  const stack = new AsyncDisposableStack();
  const database = settings.database ?? (await createTestDatabase());
  if (settings.database === undefined) stack.defer(() => database.drop());
  const { statementMs: readMs, replica } = settings;
  const pools = stack.use(await openPools(database.connection, { readMs, replica, discovered }));
  discovered ??= pools.newEm.jobs().getMetadata();
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
  });
  const turn = (): Promise<void> => jobs.reconcile().then(resolveAll);
  const toNextHour = (minutes: number): void =>
    clock.set(new Date(addHours(hourOf(clock.now()), 1).getTime() + minutes * MINUTE));
  // Assembling has brought the rounds to the present already.
  await resolveAll();
  return {
    url,
    clock,
    market: scripted,
    newEm,
    statements: pools.statements.jobs,
    submissions: pools.statements.submissions,
    reported,
    logged,
    turn,
    nudge: bus.nudge,
    tell: bus.tell,
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

/** Tries all rounds that wait, until each is decided or goes on waiting; `resolveAll` then does what follows, too. */
function resolvesByHand(deps: Parameters<typeof resolveWaiting>[0] & RecordingDeps & StandingDeps) {
  const resolve = () => resolveWaiting(deps, { isWanted: () => true });
  return {
    resolve,
    resolveAll: async (): Promise<void> => {
      await resolve();
      await afterResolution(deps, deps.clock.now());
      await applyStanding(deps);
      await recordForecasts(deps);
      deps.announce();
    },
  };
}

/** What the process has to itself. Its queue does nothing: tests turn the rounds by hand. */
function ownBackplane({ rateLimits = false, bus = localBus(), backplane }: ServiceSettings): Backplane {
  const counts = { waiting: 0, delayed: 0, active: 0, failed: 0 };
  return {
    bus,
    limiter: limiterOf(rateLimits),
    openQueue: async () => ({
      add: async () => {},
      counts: async () => counts,
      jobs: async () => [],
      close: async () => {},
    }),
    status: () => [],
    counts: async () => ({}),
    jobs: async () => [],
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
  const { timeouts, exporting, connectionsPerAddress, keeping } = bounds;
  return {
    serves: true,
    works: false,
    settings: { keyPepper, lockMs, picks, webhooks, version: '9.9.9' },
    http: {
      corsOrigins,
      trustProxy,
      timeouts,
      exporting,
      intervals: { ...QUIET, ...intervals },
      connectionsPerAddress,
      keeping,
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
