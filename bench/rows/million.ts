import { setTimeout as delay } from 'node:timers/promises';

import type { Client } from 'pg';

import { withClient } from '../../src/database/connection.ts';
import { MINUTE, SECOND } from '../../src/rules/hours.ts';
import { measuredService, type MeasuredService, runningRound } from '../measured-service.ts';
import { markdown } from '../results.ts';
import { watchUsage } from '../service-usage.ts';
import { percentile } from '../table.ts';
import { timedRequest } from '../timed-request.ts';
import { STATE } from './edge.ts';
import type { Row } from './row.ts';
import { addAgents, submitter } from './submissions.ts';

const [PREDICTIONS, PREDICTIONS_IF_QUICK] = [1_000_000, 100_000];
/** The last turn begins below the number of predictions, and takes more. */
const SPARE = 150_000;
/** Time for the agents, and for the predictions at 5,000 a second. */
const [BEFORE_THE_EDGE_MS, BEFORE_THE_EDGE_IF_QUICK_MS] = [6 * MINUTE, MINUTE];
const TURN_SECONDS = 5;
const LOOK_MS = 100;
const READ_MS = 250;
const MEGABYTE = 1024 * 1024;

/** Milliseconds until a round ends. */
const LEFT = `select extract(epoch from r.end_time - clock_service_at - (clock_timestamp() - clock_real_at))::float8 * 1000 as ms
  from rounds r, platform where r.id = $1`;

/** One hour of a million agents: their submissions, and the time from its end until it is decided and the boards have it. */
export const million: Row = async (options) => {
  const { isQuick } = options;
  const predictions = isQuick ? PREDICTIONS_IF_QUICK : PREDICTIONS;
  const beforeHourMs = isQuick ? BEFORE_THE_EDGE_IF_QUICK_MS : BEFORE_THE_EDGE_MS;
  await using service = await measuredService({ ...options, beforeHourMs });
  await addAgents(service, predictions + SPARE);
  const usage = watchUsage(service.pid, Number(new URL(service.url).port));
  const { id } = await runningRound(service.url);
  const reads = readSteadily(service.url, ['/api/forecast', `/rounds/${id}`, `/api/rounds/${id}`]);
  const turns = await submitted(service, predictions);
  const { decidedMs, followedMs } = await withClient(service.connection, (client) => untilFollowed(client, id));
  const slowest = await reads.end();
  const { rss } = usage.stop();
  return markdown([
    [`${turns.sent.toLocaleString('en')} predictions`, 'figure'],
    ['submissions a second', turns.rate.toFixed(0)],
    ['submissions p99, ms', turns.p99.toFixed(0)],
    ['decided after the hour, s', (decidedMs / SECOND).toFixed(1)],
    ['boards after the hour, s', (followedMs / SECOND).toFixed(1)],
    ['memory of Node at most, MB', (rss / MEGABYTE).toFixed(0)],
    ...slowest.map(([path, p99, max]) => [`${path} p99 and slowest, ms`, `${p99.toFixed(0)}, ${max.toFixed(0)}`]),
  ]);
};

/** The mean rate of all turns, and the largest of their p99. */
async function submitted(service: MeasuredService, predictions: number) {
  const side = await submitter('submissions', service);
  let [sent, p99] = [0, 0];
  const rates: number[] = [];
  while (sent < predictions) {
    const turn = await side.turn({ seconds: TURN_SECONDS, answers: 200 });
    sent += turn.sent;
    rates.push(turn.rate);
    p99 = Math.max(p99, turn.p99);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return { sent, p99, rate: rates.reduce((sum, rate) => sum + rate, 0) / rates.length };
}

/** Milliseconds after the end of the running round until it is decided, and until all that follows is done. */
export async function untilFollowed(client: Client, id: number) {
  const [left] = (await client.query<{ ms: number }>(LEFT, [id])).rows;
  if (left === undefined || left.ms < 0) throw new Error('The hour ended before all had submitted');
  const endsAt = performance.now() + left.ms;
  let decidedMs = Number.NaN;
  for (;;) {
    const [state] = (await client.query<{ status: string; isFollowed: boolean }>(STATE, [id])).rows;
    if (state?.status === 'resolved' && Number.isNaN(decidedMs)) decidedMs = performance.now() - endsAt;
    if (state?.isFollowed === true) return { decidedMs, followedMs: performance.now() - endsAt };
    await delay(LOOK_MS);
  }
}

/** Reads each path at this interval; returns p99 and the slowest in milliseconds. */
function readSteadily(url: string, paths: readonly string[]) {
  const ending = new AbortController();
  const all = paths.map(async (path) => {
    const times: number[] = [];
    for (; !ending.signal.aborted; await delay(READ_MS)) {
      const { status, ms } = await timedRequest({ url: `${url}${path}`, from: '127.0.0.1' });
      times.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
    }
    return [path, percentile(times, 0.99), percentile(times, 1)] as const;
  });
  return {
    end: () => {
      ending.abort();
      return Promise.all(all);
    },
  };
}
