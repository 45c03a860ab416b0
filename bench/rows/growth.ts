import { Agent } from 'node:http';

import { alternately, spreadOf } from '../compare.ts';
import { benchKey, type History, LARGE, SMALL } from '../history-shapes.ts';
import { decidedRounds, measuredService, type MeasuredService } from '../measured-service.ts';
import { digits, markdown, SPREAD_HEAD, spreadCells } from '../results.ts';
import { processorMs } from '../processor-time.ts';
import { residentOf } from '../service-usage.ts';
import { percentile } from '../table.ts';
import { timedRequest } from '../timed-request.ts';
import type { Row, RowOptions } from './row.ts';

/** Enough requests for the clock of processor time, which ticks every 10 ms. */
const REQUESTS = 100;
/** In both histories an agent of full rounds alone: 40 with little history, 49 with much. */
const USUAL_AGENT = 500;
/** An agent with ten times as many rounds in the large history. */
const REGULAR = 7;
const MEGABYTE = 1024 * 1024;

/** Uses agents and rounds that both services have. */
export interface Read {
  readonly name: string;
  readonly path: string;
  readonly key?: string;
  readonly query?: string;
}

/** With a key, since answers without one are cached. */
export const graphql = (name: string, query: string): Read => ({
  name,
  path: '/graphql',
  query,
  key: benchKey(REGULAR),
});
const rest = (path: string): Read => ({ name: path, path });

function readsOf(round: number): readonly Read[] {
  return [
    rest('/api/rounds/current'),
    rest('/api/leaderboard'),
    rest('/api/leaderboard?period=alltime&limit=100'),
    rest('/api/stats'),
    rest('/api/rounds/recent?limit=100'),
    rest('/api/agents/7'),
    { name: '/api/me', path: '/api/me', key: benchKey(REGULAR) },
    { name: '/api/rounds/{id}/results', path: `/api/rounds/${round}/results` },
    { name: '/api/rounds/{id}/entries', path: `/api/rounds/${round}/entries` },
    graphql('agents by points', '{ agents(first: 100, orderBy: POINTS) { nodes { id name totalPoints } } }'),
    ...recordsOf(USUAL_AGENT, '40 and 49 rounds', 200),
    ...recordsOf(REGULAR, '100 and 999 rounds', 100),
    graphql('the field’s calibration', '{ stats { calibration { n } } }'),
    graphql('newest predictions', '{ predictions(first: 100) { nodes { id confidence } } }'),
    graphql('oldest predictions', '{ predictions(first: 100, orderBy: OLDEST) { nodes { id confidence } } }'),
  ];
}

/** Fields of an agent's whole record, with the same number of points for long records: answers are alike, reads differ. */
function recordsOf(id: number, rounds: string, points: number): readonly Read[] {
  const historyOf = (field: string): string =>
    `{ agent(id: ${id}) { ${field}(window: alltime, points: ${points}) { at value } } }`;
  return [
    graphql(`an agent’s calibration, ${rounds}`, `{ agent(id: ${id}) { calibration(window: alltime) { n } } }`),
    graphql(`an agent’s P&L history, ${rounds}`, historyOf('pnlHistory')),
    graphql(`an agent’s edge by time, ${rounds}`, historyOf('edgeHistory')),
    graphql(
      `an agent’s 40 newest predictions of ${rounds}`,
      `{ agent(id: ${id}) { predictions(first: 40) { nodes { id score } } } }`,
    ),
  ];
}

/**
 * Growth with history: 5 million predictions and 100,000 agents beside 50,000 and 1,000, on services queried in turns.
 * Milliseconds of single requests, and processor time of service and PostgreSQL; 1: no growth.
 */
export const growth: Row = async (options) => {
  const starts = await startTimes(options);
  await using stack = new AsyncDisposableStack();
  const small = stack.use(await measuredService({ ...options, history: SMALL }));
  const large = stack.use(await measuredService({ ...options, history: largeOf(options) }));
  const idle = [residentMb(small), residentMb(large)] as const;
  const rows: string[][] = [];
  const [ofSmall, ofLarge] = [readsOf(await roundOf(small)), readsOf(await roundOf(large))];
  for (const [index, read] of ofSmall.entries()) {
    const sides = [
      { service: small, read },
      { service: large, read: ofLarge[index] ?? read },
    ] as const;
    const { times, byProcessor } = await readsOfBoth(sides, options.repetitions);
    rows.push([read.name, ...growthCells(times), byProcessor]);
  }
  rows.push(['start until it answers', ...growthCells(starts), '']);
  rows.push(['resident MB, idle', ...growthCells([idle]), '']);
  rows.push(['resident MB after all of that', ...growthCells([[residentMb(small), residentMb(large)]]), '']);
  const head = ['5 million predictions beside 50,000', ...SPREAD_HEAD, 'few, many (ms, MB)', 'by processor time'];
  return markdown([head, ...rows]);
};

interface Asking {
  readonly service: Omit<MeasuredService, 'history'>;
  readonly read: Read;
}

/** The median of a turn's requests, and the processor time of all. */
interface Turn {
  readonly ms: number;
  readonly cpuMs: number;
}

/** With `--history=small` both are alike: the ratios show the measurement's error. */
function largeOf({ history }: RowOptions): History {
  return history === SMALL ? SMALL : LARGE;
}

async function roundOf({ url }: MeasuredService): Promise<number> {
  return (await decidedRounds(url, 1))[0] ?? 0;
}

export function growthCells(pairs: readonly (readonly [number, number])[]): string[] {
  const few = spreadOf(pairs.map(([one]) => one)).median;
  const many = spreadOf(pairs.map(([, other]) => other)).median;
  return [...spreadCells(spreadOf(pairs.map(([one, other]) => other / one))), `${few.toFixed(1)}, ${many.toFixed(1)}`];
}

/** The times of both sides, and the ratio of their processor time. The first repetition warms up. */
export async function readsOfBoth(sides: readonly [Asking, Asking], repetitions: number) {
  const pairs: (readonly [Turn, Turn])[] = [];
  for (let n = 0; n <= repetitions; n += 1) pairs.push(await turnsOf(sides));
  const counted = pairs.slice(1);
  const cpuMs = (side: 0 | 1): number => counted.reduce((sum, pair) => sum + pair[side].cpuMs, 0);
  return {
    times: counted.map(([one, other]) => [one.ms, other.ms] as const),
    byProcessor: digits(cpuMs(1) / cpuMs(0)),
  };
}

/** Requests alternate between the sides, so that a busy moment of the machine hits both. */
async function turnsOf(sides: readonly [Asking, Asking]): Promise<readonly [Turn, Turn]> {
  const agent = new Agent({ keepAlive: true });
  const before = sides.map(cpuMsOf);
  const times: readonly [number[], number[]] = [[], []];
  for (let n = 0; n < REQUESTS; n += 1) {
    times[0].push(await msOf(sides[0], agent));
    times[1].push(await msOf(sides[1], agent));
  }
  agent.destroy();
  const turn = (side: 0 | 1): Turn => ({
    ms: percentile(times[side], 0.5),
    cpuMs: cpuMsOf(sides[side]) - (before[side] ?? Number.NaN),
  });
  return [turn(0), turn(1)];
}

function cpuMsOf({ service: { pids, databasePids } }: Asking): number {
  return processorMs([...pids(), ...databasePids()]);
}

async function msOf({ service, read: { path, key, query } }: Asking, agent: Agent): Promise<number> {
  const { status, ms, text } = await timedRequest({
    url: service.url + path,
    from: '127.0.0.1',
    agent,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    ...(query === undefined ? {} : { body: { query } }),
  });
  if (status === 200 && !text.includes('"errors":')) return ms;
  throw new Error(`${path} is answered ${String(status)}: ${text}`);
}

/** Each start is on its own copy. */
async function startTimes(options: RowOptions): Promise<readonly (readonly [number, number])[]> {
  const startMs = async (history: History): Promise<number> => {
    await using service = await measuredService({ ...options, history });
    return service.startMs;
  };
  const sides = [SMALL, largeOf(options)] as const;
  return alternately(options.repetitions, (side) => startMs(sides[side]));
}

/** The service's own process; NaN except on Linux. */
export function residentMb({ pid }: Pick<MeasuredService, 'pid'>): number {
  if (process.platform !== 'linux') return Number.NaN;
  return residentOf(pid) / MEGABYTE;
}
