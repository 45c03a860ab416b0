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
import { median, table } from './table.ts';

const TURNS = 6;
const SUBMISSIONS = 600;
const AT_ONCE = 32;
const HOURS = 15;
/** An hour in 1.5 s. */
const FAST = 2_400;
const HOUR_MS = 3_600_000;

const SHAPES = [
  { name: 'one process', shares: false, rows: [{ ROLE: 'all' }] },
  {
    name: 'two api, two worker, one Redis',
    shares: true,
    rows: [{ ROLE: 'api' }, { ROLE: 'api' }, { ROLE: 'worker' }, { ROLE: 'worker' }],
  },
] as const;

/** Figures of one shape: submissions a second, and milliseconds of a submission and of an hour's edge on the feed. */
interface Figures {
  readonly rate: number[];
  readonly p50: number[];
  readonly p99: number[];
  readonly edge: number[];
}

interface Side {
  readonly name: string;
  readonly site: Deployment;
  readonly figures: Figures;
}

/**
 * Two processes that serve and two that work, on one Redis, against a single process without: each on a database of its
 * own in one PostgreSQL without durability, in turns. Limits are on. Clients, PostgreSQL and Redis share the machine.
 */
export async function processes(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const cluster = await startTestCluster();
  stack.defer(() => cluster.dispose());
  process.env[TEMPLATE_VARIABLE] = JSON.stringify(cluster.template);
  const figures = SHAPES.map((): Figures => ({ rate: [], p50: [], p99: [], edge: [] }));
  await withSides(figures, 1, async (sides) => {
    for (let turn = 0; turn <= TURNS; turn += 1) {
      for (const side of turn % 2 === 0 ? sides : sides.toReversed()) await submitAll(side, turn);
    }
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
  const redis = stack.use(await startRedis());
  const sides: Side[] = [];
  for (const [index, { name, shares, rows }] of SHAPES.entries()) {
    const { connection, drop } = await createTestDatabase();
    stack.defer(drop);
    const settings: Settings = {
      DATABASE_URL: databaseUrl(connection),
      CLOCK_SPEED: String(speed),
      RATE_LIMITS: 'on',
      TRUST_PROXY: 'true',
      ...(shares ? { REDIS_URL: redis.url } : {}),
    };
    const site = stack.use(await deployment(settings, rows));
    await Promise.all(site.processes.map((process) => process.start()));
    sides.push({ name, site, figures: figures[index] ?? { rate: [], p50: [], p99: [], edge: [] } });
  }
  await work(sides);
}

/** Lets as many agents as there are submissions submit once each, through all that serve. The first turn warms up. */
async function submitAll({ site, figures }: Side, turn: number): Promise<void> {
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
  figures.p50.push(median(sorted));
  figures.p99.push(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
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

/** From the moment that an hour begins until a subscriber of each process that serves hears of it. */
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
  const columns = ['rate', 'p50', 'p99', 'edge'] as const;
  const [alone] = figures;
  const cells = figures.map((found, index) => [
    SHAPES[index]?.name ?? '',
    ...columns.flatMap((column) => {
      const middle = median(found[column]);
      return [middle.toFixed(1), `${(middle / median(alone?.[column] ?? [])).toFixed(2)} x`];
    }),
  ]);
  const titles = ['submissions/s', 'p50 ms', 'p99 ms', 'hour’s edge to feed ms'];
  return `Submissions, ${AT_ONCE} at once, and the feed\n${table([['', ...titles.flatMap((title) => [title, 'ratio'])], ...cells])}`;
}
