import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client } from 'pg';

import { withClient } from '../../src/database/connection.ts';
import { pendingWork } from '../../src/in-flight.ts';
import { SECOND } from '../../src/rules/hours.ts';
import { insertAgents } from '../agents.ts';
import { spreadOf } from '../compare.ts';
import { benchKey, type History } from '../history-shapes.ts';
import { measuredService, type MeasuredService, runningRound } from '../measured-service.ts';
import { markdown, ratio } from '../results.ts';
import { percentile } from '../table.ts';
import { type TimedRequest, timedRequest } from '../timed-request.ts';
import { QUESTIONS } from './nested.ts';
import type { Row } from './row.ts';

/** The agents who answered the hour before also answer the running one. Each round leaves the daily window after a day. */
const HISTORY: History = { agents: 100_000, fullRounds: 25, pause: 0, smallRounds: 0, regulars: 1_000 };
/** Agents beyond the history's, each of which submits once. */
const SUBMITTING = 20_000;
/** Time for the start, the round's predictions and the idle phase. */
const BEFORE_THE_EDGE_MS = 40 * SECOND;
const WARM_UP_MS = 5 * SECOND;
const AFTER_MS = 5 * SECOND;
/** Each kind of request is sent at this interval. */
const INTERVAL_MS = 50;
const POLL_MS = 25;

const PHASES = ['idle', 'closing', 'resolving', 'following', 'after'] as const;
type Phase = (typeof PHASES)[number];

interface Sample {
  readonly kind: string;
  /** When it was sent; null during the warm-up. */
  readonly phase: Phase | null;
  readonly ms: number;
  readonly isDone: boolean;
}

/** Latency of light load while a round of 100,000 is resolved and its follow-up runs, beside the same load before. */
export const hoursEdge: Row = async (options) => {
  const samples: Sample[] = [];
  const lengths = new Map<Phase, number[]>(PHASES.map((phase) => [phase, []]));
  for (let repetition = 0; repetition < options.repetitions; repetition += 1) {
    await using service = await measuredService({ ...options, history: HISTORY, beforeHourMs: BEFORE_THE_EDGE_MS });
    await withClient(service.connection, async (client) => {
      await client.query(ANSWERS, [HISTORY.agents]);
      await insertAgents(client, { first: HISTORY.agents + 1, last: HISTORY.agents + SUBMITTING });
      await client.query('checkpoint');
      const taken = await throughTheEdge(service, client, samples);
      for (const [phase, ms] of taken) lengths.get(phase)?.push(ms);
    });
  }
  return tableOf(samples, lengths);
};

/** Predictions of the running round by the first agents. */
export const ANSWERS = `with answered as (
    insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
    select r.id, a, r.choices ->> (a % jsonb_array_length(r.choices)), a * 7 % 101, r.start_time + a % 3540 * interval '1 second'
    from rounds r cross join generate_series(1, $1::int) a where r.status = 'active' returning confidence)
  update rounds set total_entries = (select count(*) from answered),
    confidence_sum = (select sum(confidence) from answered) where status = 'active'`;
/** The round after the given one, and the milliseconds until it begins. */
const NEXT = `select r.id, r.choices, extract(epoch from
    r.start_time - clock_service_at - (clock_timestamp() - clock_real_at))::float8 * 1000 as ms
  from rounds r, platform where r.start_time = (select end_time from rounds where id = $1)`;
/** A round's status, and whether its follow-up is done: its statements mark what they have done. */
export const STATE = `select r.status, r.counted_at is not null and p.ordered_rounds = p.resolved_rounds
    and r.kind_windows <> 0 as "isFollowed" from rounds r, platform p where r.id = $1`;

interface Target {
  readonly id: number;
  readonly choices: readonly string[];
}

/** Sends requests until some time after the follow-up; returns the phases' lengths. */
async function throughTheEdge(
  { url }: MeasuredService,
  client: Client,
  samples: Sample[],
): Promise<ReadonlyMap<Phase, number>> {
  const running = await runningRound(url);
  const { rows } = await client.query<Target & { ms: number }>(NEXT, [running.id]);
  const [next] = rows;
  if (next === undefined) throw new Error('There is no next round');
  const edgeAt = performance.now() + next.ms;
  const now: { phase: Phase | null } = { phase: null };
  const nowIs = () => ({ phase: now.phase, round: performance.now() < edgeAt ? running : next });
  const load = sendSteadily(url, nowIs, samples);
  const began = new Map<Phase, number>();
  const enter = (phase: Phase): void => {
    now.phase = phase;
    began.set(phase, performance.now());
  };
  await delay(WARM_UP_MS);
  enter('idle');
  await delay(edgeAt - performance.now());
  enter('closing');
  for (; now.phase !== 'after'; await delay(POLL_MS)) {
    const [state] = (await client.query<{ status: string; isFollowed: boolean }>(STATE, [running.id])).rows;
    if (now.phase === 'closing' && state?.status !== 'active') enter('resolving');
    if (now.phase === 'resolving' && state?.status === 'resolved') enter('following');
    if (now.phase === 'following' && state?.isFollowed === true) enter('after');
  }
  await delay(AFTER_MS);
  await load.end();
  const times = [...began.values(), performance.now()];
  return new Map([...began.keys()].map((name, index) => [name, (times[index + 1] ?? 0) - (times[index] ?? 0)]));
}

/** One request of each kind in an interval, whether or not earlier ones were answered. */
function sendSteadily(url: string, now: () => { phase: Phase | null; round: Target }, samples: Sample[]) {
  const agent = new Agent({ keepAlive: true });
  const began = performance.now();
  const pending = pendingWork();
  const send = async (kind: string, request: Omit<TimedRequest, 'from'>, phase: Phase | null): Promise<void> => {
    const { status, ms } = await timedRequest({ ...request, url: `${url}${request.url}`, from: '127.0.0.1', agent });
    samples.push({ kind, phase, ms, isDone: status === 200 || status === 201 });
  };
  let turn = 0;
  const sendDue = (): void => {
    for (; began + turn * INTERVAL_MS <= performance.now(); turn += 1) {
      const { phase, round } = now();
      for (const [kind, request] of Object.entries(requestsOf(turn, round)))
        void pending.track(send(kind, request, phase));
    }
  };
  const timer = setInterval(sendDue, INTERVAL_MS / 10);
  return {
    async end(): Promise<void> {
      clearInterval(timer);
      await pending.settled();
      agent.destroy();
    },
  };
}

function requestsOf(turn: number, { id, choices }: Target): Readonly<Record<string, Omit<TimedRequest, 'from'>>> {
  const n = 1 + (turn % HISTORY.regulars);
  const headers = { authorization: `Bearer ${benchKey(n)}` };
  const { ours: query = '', takesAgent = false } = QUESTIONS[turn % QUESTIONS.length] ?? {};
  return {
    livez: { url: '/livez' },
    'kept reads': { url: turn % 2 === 0 ? '/api/rounds/current' : '/api/leaderboard' },
    'own reads': { url: '/api/me', headers },
    'GraphQL, executed': { url: '/graphql', headers, body: { query, variables: takesAgent ? { id: n } : {} } },
    submissions: {
      url: '/api/predictions',
      headers: { authorization: `Bearer ${benchKey(HISTORY.agents + 1 + turn)}` },
      body: { round_id: id, prediction: choices[0], confidence: 60 },
    },
  };
}

function tableOf(samples: readonly Sample[], lengths: ReadonlyMap<Phase, readonly number[]>): string {
  const kinds = [...new Set(samples.map(({ kind }) => kind))];
  const head = [
    'p50, p99 ms; p99 to idle',
    ...PHASES.map((phase) => `${phase}, ${(spreadOf(lengths.get(phase) ?? []).median / SECOND).toFixed(1)} s`),
  ];
  const rows = kinds.map((kind) => {
    const of = (phase: Phase): number[] =>
      samples.filter((one) => one.kind === kind && one.phase === phase).map(({ ms }) => ms);
    const idle = percentile(of('idle'), 0.99);
    return [
      kind,
      ...PHASES.map((phase) => {
        const [p50, p99] = [percentile(of(phase), 0.5), percentile(of(phase), 0.99)];
        return `${p50.toFixed(1)}, ${p99.toFixed(1)}; ${ratio(p99 / idle)}`;
      }),
    ];
  });
  const failed = samples.filter(({ isDone }) => !isDone).length;
  return `${markdown([head, ...rows])}\n\n${samples.length} requests, ${failed} without success`;
}
