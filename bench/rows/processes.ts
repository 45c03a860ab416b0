import { setTimeout as delay } from 'node:timers/promises';

import { serviceClock } from '../../test/support/service-clock.ts';
import { snapshot } from '../../test/support/snapshot.ts';
import { socketSubscriber } from '../../test/support/subscriber.ts';
import { startTestCluster } from '../../test/support/cluster.ts';
import { compare, type Plan, type Side } from '../compare.ts';
import { benchKey } from '../history-shapes.ts';
import { LAYOUTS, openLayout, type RunningLayout } from '../layouts.ts';
import { get, type Load, post, these, type Turn, turnOf } from '../load.ts';
import { runningRound } from '../measured-service.ts';
import { markdown, ratioTable } from '../results.ts';
import { counted, type StoreUsage, usageOf } from '../store-usage.ts';
import { median, percentile } from '../table.ts';
import type { Row, RowOptions } from './row.ts';

const SOME_AGENTS = 100;
const DOCUMENT = '{ me { id name totalPoints } agents(first: 20) { nodes { id name totalPoints } } }';
/** An hour in 3 s. */
const FAST = 1_200;
const [HOURS, HOURS_IF_QUICK] = [6, 2];
const SUBSCRIBERS = 60;
/** An upper bound for two processors; later turns use the measured rate. */
const MOST_A_SECOND = 50_000;
const HOUR_MS = 3_600_000;
const IDLE_MS = 5_000;
/** Shared by the processes, so that 8 of them have 64 each. */
const SUBMITTING = 512;
/** Answers of each process before the first turn: an eighth of the traffic compiles code eight times as late. */
const WARM_UP_EACH = 25_000;
/** Heads tables whose cells have a figure for each layout. */
const PROCESSES = `${LAYOUTS.join(', ')} processes`;

/** Requests of a turn; `first` counts earlier submissions. */
interface Question {
  readonly name: string;
  readonly load: (first: number, round: { readonly id: number; readonly choices: readonly string[] }) => Load;
}

const keys = Array.from({ length: SOME_AGENTS }, (_, n) => ({ authorization: `Bearer ${benchKey(n + 1)}` }));

const QUESTIONS: readonly Question[] = [
  {
    name: 'POST /api/predictions',
    load: (first, { id, choices }) => ({
      requests: { kind: 'submissions', firstAgent: first + 1, roundId: id, prediction: choices[0] ?? '' },
      status: 201,
      connections: SUBMITTING,
    }),
  },
  { name: 'a kept GET', load: () => these([get('/api/rounds/current')]) },
  {
    name: 'a GET with a key',
    load: () => these(keys.map((key) => get('/api/me', key))),
  },
  {
    name: 'a document executed each time',
    load: () => these(keys.map((key) => post('/graphql', { query: DOCUMENT }, key))),
  },
];

/** P12: several processes on one Redis and one PostgreSQL beside one process, each layout on its own database. */
export const severalProcesses: Row = async (options) => {
  await using stack = new AsyncDisposableStack();
  options.onStop(() => stack.disposeAsync());
  stack.use(await startTestCluster());
  return `${await answers(stack.use(new AsyncDisposableStack()), options)}\n\n${await edges(stack, options.isQuick ? HOURS_IF_QUICK : HOURS)}`;
};

/** All layouts run at once, and are queried in turns. */
async function answers(stack: AsyncDisposableStack, options: RowOptions): Promise<string> {
  const running: RunningLayout[] = [];
  for (const count of LAYOUTS) running.push(await openLayout(count, { stack, speed: 1 }));
  const found = `${await answering(running, options)}\n\n${await idle(running)}`;
  await stack.disposeAsync();
  return found;
}

async function answering(layouts: readonly RunningLayout[], plan: Plan): Promise<string> {
  const lines = [];
  const stores = [];
  const submitted: Turning['submitted'] = new Map();
  for (const question of QUESTIONS) {
    const uses = new Map<string, StoreUsage[]>(layouts.map(({ name }) => [name, []]));
    const sides = layouts.map((layout): Side => ({
      name: layout.name,
      turn: (span) => turn({ layout, question, submitted, note: (usage) => uses.get(layout.name)?.push(usage) }, span),
    }));
    const [peer, ...others] = sides;
    if (peer === undefined) throw new Error('There must be a layout');
    for (const [index, side] of sides.entries())
      await side.turn({ seconds: plan.seconds, answers: WARM_UP_EACH * (LAYOUTS[index] ?? 1) });
    for (const all of uses.values()) all.length = 0;
    for (const [{ name }, pairs] of await compare(peer, others, plan))
      lines.push({ what: `${question.name}: ${name}`, pairs });
    stores.push([question.name, ...storeCells([...uses.values()])]);
  }
  const head = [PROCESSES, 'transactions each', 'connections', 'Redis commands each'];
  return `${ratioTable('one process', lines)}\n\n${markdown([head, ...stores])}`;
}

interface Turning {
  readonly layout: RunningLayout;
  readonly question: Question;
  /** Submissions so far, and of the longest turn. */
  readonly submitted: Map<RunningLayout, { readonly all: number; readonly most: number }>;
  readonly note: (usage: StoreUsage) => void;
}

async function turn({ layout, question, submitted, note }: Turning, span: Parameters<Side['turn']>[0]): Promise<Turn> {
  const [url = ''] = layout.site.urls;
  const { all, most } = submitted.get(layout) ?? { all: 0, most: (MOST_A_SECOND * span.seconds) / 2 };
  const load = question.load(all, await runningRound(url));
  const submits = load.requests.kind === 'submissions';
  // Each agent answers once, so a longer turn needs twice as many as the longest so far.
  await layout.agents(submits ? all + Math.ceil(2 * Math.max(most, span.answers)) : SOME_AGENTS);
  // The layout's earlier work is counted by now, since another one had a turn.
  const before = await layout.usage();
  const turned = await turnOf({ url, urls: layout.site.urls, pids: layout.pids }, load, span).catch(
    (cause: unknown) => {
      throw new Error(`${question.name} of ${layout.name} failed`, { cause });
    },
  );
  if (submits) submitted.set(layout, { all: all + turned.sent, most: Math.max(most, turned.sent) });
  await counted();
  note(usageOf(before, await layout.usage(), turned.sent));
  return turned;
}

/** The medians of the stores' work in each layout's turns. */
function storeCells(layouts: readonly (readonly StoreUsage[])[]): readonly string[] {
  const middles = (of: (usage: StoreUsage) => number, decimals: number): string =>
    layouts.map((all) => median(all.map(of)).toFixed(decimals)).join(', ');
  return [
    middles(({ transactions }) => transactions, 3),
    middles(({ connections }) => connections, 0),
    middles(({ commands }) => commands, 2),
  ];
}

/** The stores' work without requests. */
async function idle(layouts: readonly RunningLayout[]): Promise<string> {
  await counted('idle');
  const found: StoreUsage[] = [];
  for (const { usage } of layouts) {
    const before = await usage();
    const began = performance.now();
    await delay(IDLE_MS);
    const after = await usage();
    found.push(usageOf(before, after, (performance.now() - began) / 1_000));
  }
  const cell = (of: (usage: StoreUsage) => number): string => found.map((usage) => of(usage).toFixed(1)).join(', ');
  return markdown([
    [PROCESSES, 'transactions a second', 'Redis commands a second'],
    ['without requests', cell(({ transactions }) => transactions), cell(({ commands }) => commands)],
  ]);
}

/** From an hour's begin until all subscribers, spread over the processes, have its event; one layout after the other. */
async function edges(stack: AsyncDisposableStack, hours: number): Promise<string> {
  const [medians, slowest]: [string[], string[]] = [[], []];
  for (const count of LAYOUTS) {
    const inner = stack.use(new AsyncDisposableStack());
    const { site } = await openLayout(count, { stack: inner, speed: FAST });
    const found = (await Promise.all(subscriberUrls(site.urls).map((url) => edgeDelays(site, url, hours)))).flat();
    await inner.disposeAsync();
    medians.push(median(found).toFixed(0));
    slowest.push(percentile(found, 0.99).toFixed(0));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return markdown([
    [PROCESSES, 'p50 ms', 'p99 ms'],
    [`an hour’s edge to ${SUBSCRIBERS} subscribers`, medians.join(', '), slowest.join(', ')],
  ]);
}

function subscriberUrls(urls: readonly string[]): readonly string[] {
  return Array.from({ length: SUBSCRIBERS }, (_, n) => urls[n % urls.length] ?? '');
}

/** Milliseconds until a subscriber at `url` received the opened round. */
async function edgeDelays(site: RunningLayout['site'], url: string, hours: number): Promise<readonly number[]> {
  const connection = await site.connection();
  if (connection === null) throw new Error('There is no database');
  const { clock, seq } = await snapshot(connection, async (ask) => ({
    clock: await serviceClock(ask),
    seq: (await ask<{ seq: number }>('select last_seq as seq from platform'))[0]?.seq ?? 0,
  }));
  if (clock === undefined) throw new Error('The service has no clock');
  await using subscriber = socketSubscriber(url, [url]);
  await subscriber.reaches(seq);
  const found: number[] = [];
  let read = subscriber.received.length;
  while (found.length < hours) {
    await subscriber.reaches(subscriber.last + 1);
    const now = Date.now();
    // Several events may have come at once.
    const received = subscriber.received.slice(read);
    read += received.length;
    if (!received.some((event) => event.includes('ROUND_OPENED'))) continue;
    found.push(now - clock.toReal(Math.floor(clock.toService(now) / HOUR_MS) * HOUR_MS));
  }
  return found;
}
