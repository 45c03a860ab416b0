import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';

import { spreadOf } from '../compare.ts';
import { benchKey, type History, LARGE, SMALL } from '../history-shapes.ts';
import { decidedRounds, measuredService, type MeasuredService } from '../measured-service.ts';
import { markdown, spreadCells } from '../results.ts';
import { percentile } from '../table.ts';
import { timedRequest } from '../timed-request.ts';
import type { Row, RowOptions } from './row.ts';

/** Requests of one turn, one after the other. */
const REQUESTS = 20;
const KILOBYTES_PER_MEGABYTE = 1024;

/** What is asked of both services; each takes one of the agents and rounds that both have. */
interface Read {
  readonly name: string;
  readonly path: string;
  readonly key?: string;
  readonly query?: string;
}

/** With a key, without which the answer would be kept for everybody. */
const graphql = (name: string, query: string): Read => ({ name, path: '/graphql', query, key: benchKey(7) });
const rest = (path: string): Read => ({ name: path, path });

function readsOf(round: number): readonly Read[] {
  return [
    rest('/api/rounds/current'),
    rest('/api/leaderboard'),
    rest('/api/leaderboard?period=alltime&limit=100'),
    rest('/api/stats'),
    rest('/api/rounds/recent?limit=100'),
    rest('/api/agents/7'),
    { name: '/api/me', path: '/api/me', key: benchKey(7) },
    { name: '/api/rounds/{id}/results', path: `/api/rounds/${round}/results` },
    { name: '/api/rounds/{id}/entries', path: `/api/rounds/${round}/entries` },
    graphql('agents by points', '{ agents(first: 100, orderBy: POINTS) { nodes { id name totalPoints } } }'),
    graphql('an agent’s calibration', '{ agent(id: 7) { calibration(window: alltime) { n } } }'),
    graphql('an agent’s P&L history', '{ agent(id: 7) { pnlHistory(window: alltime) { value } } }'),
    graphql('the field’s calibration', '{ stats { calibration { n } } }'),
    graphql('newest predictions', '{ predictions(first: 100) { nodes { id confidence } } }'),
    graphql('oldest predictions', '{ predictions(first: 100, orderBy: OLDEST) { nodes { id confidence } } }'),
  ];
}

/**
 * What becomes slower or larger with history: 5 million predictions and 100,000 agents beside 50,000 and 1,000, both in
 * services that run at the same time and are asked in turns. Milliseconds of single requests; 1 is: it does not grow.
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
    const pairs: (readonly [number, number])[] = [];
    for (let n = 0; n <= options.repetitions; n += 1) {
      const few = await medianMs(small, read);
      const many = await medianMs(large, ofLarge[index] ?? read);
      if (n > 0) pairs.push([few, many]);
    }
    rows.push([read.name, ...cells(pairs)]);
  }
  rows.push(['start until it answers', ...cells(starts)]);
  rows.push(['resident MB, idle', ...cells([idle])]);
  rows.push(['resident MB after all of that', ...cells([[residentMb(small), residentMb(large)]])]);
  return markdown([['5 million predictions beside 50,000', 'min', 'median', 'max', 'few, many (ms, MB)'], ...rows]);
};

/** With `--history=small` both are alike: each ratio should be near 1, which shows how far to trust the others. */
function largeOf({ history }: RowOptions): History {
  return history === SMALL ? SMALL : LARGE;
}

async function roundOf({ url }: MeasuredService): Promise<number> {
  return (await decidedRounds(url, 1))[0] ?? 0;
}

function cells(pairs: readonly (readonly [number, number])[]): string[] {
  const few = spreadOf(pairs.map(([one]) => one)).median;
  const many = spreadOf(pairs.map(([, other]) => other)).median;
  return [...spreadCells(spreadOf(pairs.map(([one, other]) => other / one))), `${few.toFixed(1)}, ${many.toFixed(1)}`];
}

async function medianMs({ url }: MeasuredService, { path, key, query }: Read): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    const { status, ms, text } = await timedRequest({
      url: url + path,
      from: '127.0.0.1',
      agent,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      ...(query === undefined ? {} : { body: { query } }),
    });
    if (status !== 200 || text.includes('"errors":')) throw new Error(`${path} is answered ${String(status)}: ${text}`);
    times.push(ms);
  }
  agent.destroy();
  return percentile(times, 0.5);
}

/** Each start is on a copy of its own. */
async function startTimes(options: RowOptions): Promise<readonly (readonly [number, number])[]> {
  const startMs = async (history: History): Promise<number> => {
    await using service = await measuredService({ ...options, history });
    return service.startMs;
  };
  const pairs: (readonly [number, number])[] = [];
  for (let n = 0; n <= options.repetitions; n += 1) {
    const pair = [await startMs(SMALL), await startMs(largeOf(options))] as const;
    if (n > 0) pairs.push(pair);
  }
  return pairs;
}

/** Of the service's own process; NaN but on Linux. */
function residentMb({ pid }: MeasuredService): number {
  if (process.platform !== 'linux') return Number.NaN;
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / KILOBYTES_PER_MEGABYTE;
}
