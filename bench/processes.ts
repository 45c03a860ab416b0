import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

import { deployment, type Deployment } from '../test/support/deployment.ts';
import { serviceClock } from '../test/support/service-clock.ts';
import { snapshot } from '../test/support/snapshot.ts';
import { socketSubscriber } from '../test/support/subscriber.ts';
import { databaseUrl, type Settings } from '../test/support/process.ts';
import { startTestCluster } from '../test/support/cluster.ts';
import { createTestDatabase, TEMPLATE_VARIABLE } from '../test/support/database.ts';
import { startRedis } from '../test/support/redis.ts';
import { type StoreUsage, storeUsage, usageOf } from './store-usage.ts';
import { median, table } from './table.ts';

const TURNS = 6;
const SUBMISSIONS = 600;
const AT_ONCE = 32;
const HOURS = 15;
const IDLE_MS = 10_000;
/** An hour in 1.5 s. */
const FAST = 2_400;
const HOUR_MS = 3_600_000;

const API = { ROLE: 'api' };
const WORKER = { ROLE: 'worker' };
const SHAPES = [
  { name: 'one process', shares: false, rows: [{ ROLE: 'all' }] },
  { name: 'two api, one worker, one Redis', shares: true, rows: [API, API, WORKER] },
  { name: 'three api, one worker, one Redis', shares: true, rows: [API, API, API, WORKER] },
] as const;

/**
 * Figures of one shape: submissions a second, milliseconds of a submission and of an hour's edge on the feed; what a
 * submission takes of PostgreSQL and Redis with its registration, and what a second of doing nothing does.
 */
type Figures = Readonly<Record<Column, number[]>>;

const COLUMNS = [
  ['rate', 'submissions/s'],
  ['p50', 'p50 ms'],
  ['p99', 'p99 ms'],
  ['edge', 'hour’s edge to feed ms'],
  ['transactions', 'transactions each'],
  ['commands', 'Redis commands each'],
  ['connections', 'connections'],
  ['idleTransactions', 'idle transactions/s'],
  ['idleCommands', 'idle Redis commands/s'],
] as const;

type Column = (typeof COLUMNS)[number][0];

function noFigures(): Figures {
  return {
    rate: [],
    p50: [],
    p99: [],
    edge: [],
    transactions: [],
    commands: [],
    connections: [],
    idleTransactions: [],
    idleCommands: [],
  };
}

interface Side {
  readonly name: string;
  readonly site: Deployment;
  readonly figures: Figures;
  readonly usage: () => Promise<StoreUsage>;
}

/**
 * Several processes on one Redis, against a single process without: each shape on a database of its own in one
 * PostgreSQL without durability, in turns. Limits are on. Clients, PostgreSQL and Redis share the machine.
 */
export async function processes(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const cluster = await startTestCluster();
  stack.defer(() => cluster.dispose());
  process.env[TEMPLATE_VARIABLE] = JSON.stringify(cluster.template);
  const figures = SHAPES.map(noFigures);
  await withSides(figures, 1, async (sides) => {
    for (let turn = 0; turn <= TURNS; turn += 1) {
      for (const side of turn % 2 === 0 ? sides : sides.toReversed()) await submitAll(side, turn);
    }
    for (const side of sides) await restFor(IDLE_MS, side);
  });
  await withSides(figures, FAST, async (sides) => void (await Promise.all(sides.map(followHours))));
  return resultOf(figures);
}

async function withSides(
  figures: readonly Figures[],
  speed: number,
  work: (sides: readonly Side[]) => Promise<void>,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const sides: Side[] = [];
  for (const [index, { name, shares, rows }] of SHAPES.entries()) {
    const { connection, drop } = await createTestDatabase();
    stack.defer(drop);
    const redis = shares ? stack.use(await startRedis()) : null;
    const settings: Settings = {
      DATABASE_URL: databaseUrl(connection),
      CLOCK_SPEED: String(speed),
      RATE_LIMITS: 'on',
      TRUST_PROXY: 'true',
      ...(redis === null ? {} : { REDIS_URL: redis.url }),
    };
    const site = stack.use(await deployment(settings, rows));
    await Promise.all(site.processes.map((process) => process.start()));
    const usage = () => storeUsage(connection, redis);
    sides.push({ name, site, usage, figures: figures[index] ?? noFigures() });
  }
  await work(sides);
}

/** Lets as many agents as there are submissions submit once each, through all that serve. The first turn warms up. */
async function submitAll({ site, figures, usage }: Side, turn: number): Promise<void> {
  const before = await usage();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const round = await send(agent, `${site.urls[0]}/api/rounds/current`, {});
  const { id, choices }: { id: number; choices: string[] } = JSON.parse(round).round;
  const keys: string[] = [];
  await eachOf(SUBMISSIONS, async (n) => {
    const body = { name: `bench-${turn}-${n}` };
    const url = `${site.urls[n % site.urls.length]}/api/agents/register`;
    const { api_key: key } = JSON.parse(await send(agent, url, { body, address: `10.${turn}.${n >> 8}.${n & 255}` }));
    keys.push(key);
  });
  const latencies: number[] = [];
  const began = performance.now();
  await eachOf(SUBMISSIONS, async (n) => {
    const body = { round_id: id, prediction: choices[0], confidence: n % 101 };
    const started = performance.now();
    await send(agent, `${site.urls[n % site.urls.length]}/api/predictions`, { body, key: keys[n] });
    latencies.push(performance.now() - started);
  });
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  if (turn === 0) return;
  const sorted = latencies.toSorted((one, other) => one - other);
  figures.rate.push(SUBMISSIONS / seconds);
  const { transactions, commands, connections } = usageOf(before, await usage(), SUBMISSIONS);
  figures.transactions.push(transactions);
  figures.commands.push(commands);
  figures.connections.push(connections);
  figures.p50.push(median(sorted));
  figures.p99.push(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
}

/** Notes what is asked of the stores while nobody asks anything of the service. */
async function restFor(ms: number, { figures, usage }: Side): Promise<void> {
  const before = await usage();
  const began = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const after = await usage();
  const { transactions, commands } = usageOf(before, after, (performance.now() - began) / 1000);
  figures.idleTransactions.push(transactions);
  figures.idleCommands.push(commands);
}

async function eachOf(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

interface Sent {
  readonly body?: object;
  readonly key?: string | undefined;
  readonly address?: string;
}

/** The body of a 2xx answer; throws at any other. */
async function send(agent: Agent, url: string, { body, key, address }: Sent): Promise<string> {
  const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST' });
  if (key !== undefined) sent.setHeader('authorization', `Bearer ${key}`);
  if (address !== undefined) sent.setHeader('x-forwarded-for', address);
  if (body !== undefined) sent.setHeader('content-type', 'application/json');
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  const answered = await text(answer);
  if (answer.statusCode >= 300) throw new Error(`${url} is answered ${answer.statusCode}: ${answered}`);
  return answered;
}

/** From the moment that an hour begins until a subscriber of each process that serves has its event. */
async function followHours({ site, figures }: Side): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const connection = await site.connection();
  if (connection === null) throw new Error('There is no database');
  const { clock, seq } = await snapshot(connection, async (ask) => ({
    clock: await serviceClock(ask),
    seq: (await ask<{ seq: number }>('select last_seq as seq from platform'))[0]?.seq ?? 0,
  }));
  if (clock === undefined) throw new Error('The service has no clock');
  await Promise.all(
    site.urls.map(async (url) => {
      const subscriber = stack.use(socketSubscriber(url, [url]));
      await subscriber.reaches(seq);
      for (let hours = 0; hours < HOURS;) {
        await subscriber.reaches(subscriber.last + 1);
        const now = Date.now();
        if (!subscriber.heard.at(-1)?.includes('ROUND_OPENED')) continue;
        figures.edge.push(now - clock.toReal(Math.floor(clock.toService(now) / HOUR_MS) * HOUR_MS));
        hours += 1;
      }
    }),
  );
}

function resultOf(figures: readonly Figures[]): string {
  const [alone] = figures;
  const rows = COLUMNS.map(([column, title]) => [
    title,
    ...figures.map((found) => {
      const middle = median(found[column]);
      const ratio = middle / median(alone?.[column] ?? []);
      return Number.isFinite(ratio) ? `${middle.toFixed(1)} (${ratio.toFixed(2)} x)` : middle.toFixed(1);
    }),
  ]);
  const head = ['', ...SHAPES.map(({ name }) => name)];
  return `Submissions, ${AT_ONCE} at once, and the feed\n${table([head, ...rows])}`;
}
