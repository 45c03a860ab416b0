import { seeded } from '../support/seeded.ts';
import { type Deployment, deployment } from '../support/deployment.ts';
import { APPROACHES, type Moment, momentsFor } from './kill-moments.ts';
import { type Load, startLoad } from './load.ts';
import { differences } from './oracle.ts';
import { until } from '../support/poll.ts';
import { begin, SERVICE } from '../support/process.ts';
import { msToEdge, serviceClock } from '../support/service-clock.ts';
import { type Arena, settle, undecidedRounds } from './settling.ts';
import { snapshot } from '../support/snapshot.ts';
import { socketSubscriber, streamSubscriber } from '../support/subscriber.ts';

export interface KillLoopOptions {
  /** Everything random comes from it: moments, waits, and what the agents do. */
  readonly seed: number;
  readonly kills: number;
  /** Called with a line about each kill. */
  readonly log?: (line: string) => void;
  /** Ends the loop early. */
  readonly signal?: AbortSignal;
}

export interface KillReport {
  readonly kills: Readonly<Record<Moment, number>>;
  /** The most rounds that a kill left undecided although their hour was over. */
  readonly undecided: number;
  /** How often the oracle looked; a kill while the database comes or goes is judged after the next start. */
  readonly judged: number;
  readonly rounds: number;
  /** Rounds that a subscriber heard decided; where there is no difference, each after every older one. */
  readonly decidedInOrder: number;
  readonly accepted: number;
  readonly unanswered: number;
  /** Answers by status, 0 for none. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly events: number;
  readonly seconds: number;
  /** What the oracle found, empty when all is well. */
  readonly differences: readonly string[];
}

const HOUR_MS = 3_600_000;
/** How long an hour takes in real time: within the one that it was asked for an agent has to be heard on a busy machine. */
const REAL_HOUR_MS = { min: 1_000, max: 4_000, processStarts: 5 };
const AGENTS = 6;
const OUTPUT_SHOWN = 4000;
const DECIDED = / ROUND_(RESOLVED|VOID) /;

/** What a database says that is not there: yet, at present, or for ever. */
const AWAY = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|57P)/;
const NOT_MADE_YET = /^(3D000|42P01)$/;

interface Verdict {
  readonly differences: readonly string[];
  /** Rounds that are over and not decided. */
  readonly undecided: number;
}

/**
 * Kills one process of the service again and again on the same data, while agents submit and subscribers listen, and
 * lets the oracle judge after each kill; ends at the first difference. The first kill falls into the first start of
 * all, which makes the database.
 */
export async function killLoop(options: KillLoopOptions): Promise<KillReport> {
  const began = performance.now();
  const hourMs = await realHourMs();
  const speed = HOUR_MS / hourMs;
  await using site = await deployment({ CLOCK_SPEED: String(speed) });
  await using load = startLoad({ seed: options.seed, agents: AGENTS, urls: site.urls, speed });
  await using socket = socketSubscriber('the socket', site.urls);
  await using stream = streamSubscriber('the stream', site.urls);
  const running: Arena = { site, load, subscribers: [socket, stream] };
  const killed = await killAll(running, { ...options, hourMs });
  const wrong = killed.differences.length > 0 ? killed.differences : await settledAfterAll(running);
  const { accepted, unanswered, statuses } = load.memory;
  return {
    ...killed,
    rounds: new Set([...accepted.values()].map(({ roundId }) => roundId)).size,
    decidedInOrder: socket.received.filter((line) => DECIDED.test(line)).length,
    accepted: accepted.size,
    unanswered: unanswered.size,
    statuses: Object.fromEntries(statuses),
    events: socket.last,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    differences: wrong.length === 0 ? [] : [...wrong, `It wrote: ${site.first.output().slice(-OUTPUT_SHOWN)}`],
  };
}

/** Starts the service once more, and lets it catch up and end by itself. */
async function settledAfterAll(running: Arena): Promise<readonly string[]> {
  await running.site.first.start();
  return settle(running);
}

async function killAll(
  running: Arena,
  { seed, kills, hourMs, log = () => {}, signal }: KillLoopOptions & { readonly hourMs: number },
) {
  const { site, load, subscribers } = running;
  const random = seeded(seed);
  const done = { start: 0, submissions: 0, edge: 0, resolution: 0, stop: 0 };
  let [judged, undecided, index] = [0, 0, 0];
  for (const moment of ['start' as const, ...momentsFor(kills - 1, random)]) {
    if (signal?.aborted) break;
    await APPROACHES[moment]({
      service: site.first,
      random: seeded(random.between(0, 2 ** 31)),
      hourMs,
      msToEdge: () => msToNextEdge(site),
      agents: AGENTS,
      accepts: (more) => acceptedMore(load, more),
    });
    await site.first.end('SIGKILL');
    const verdict = await judge(running);
    done[moment] += 1;
    index += 1;
    judged += Number(verdict !== null);
    undecided = Math.max(undecided, verdict?.undecided ?? 0);
    const received = subscribers.map(({ last }) => last).join(' and ');
    log(`${index} ${moment}: ${load.memory.accepted.size} accepted, ${received} heard, ${sentenceOf(verdict)}`);
    if (verdict !== null && verdict.differences.length > 0) {
      return { kills: done, judged, undecided, differences: verdict.differences };
    }
  }
  return { kills: done, judged, undecided, differences: [] };
}

/** As many times as long as this machine takes now to start a process that does nothing. */
async function realHourMs(): Promise<number> {
  const began = performance.now();
  await begin({}, [...SERVICE, '--version']).ended;
  const { min, max, processStarts } = REAL_HOUR_MS;
  return Math.min(max, Math.max(min, processStarts * (performance.now() - began)));
}

async function acceptedMore({ memory: { accepted } }: Load, more: number): Promise<void> {
  const enough = accepted.size + more;
  await until(`${more} more submissions are accepted`, () => accepted.size >= enough);
}

function sentenceOf(verdict: Verdict | null): string {
  if (verdict === null) return 'no database to ask: judged after the next kill';
  return `${verdict.undecided} undecided, ${verdict.differences.length} differences`;
}

/** Null while there is no database that could be asked. */
async function judge({ site, load, subscribers }: Arena): Promise<Verdict | null> {
  const connection = await site.connection();
  if (connection === null) return null;
  const { memory } = load;
  try {
    const wrong = await differences(connection, { memory, subscribers, uptimes: site.uptimes() });
    return { differences: wrong, undecided: (await undecidedRounds(connection)).length };
  } catch (error) {
    const code = codeOf(error);
    if (AWAY.test(code) || (NOT_MADE_YET.test(code) && memory.accepted.size === 0)) return null;
    throw error;
  }
}

/** 0 while there is no database that could be asked: the kill then falls into its coming or going. */
async function msToNextEdge(site: Deployment): Promise<number> {
  try {
    const connection = await site.connection();
    const clock = connection && (await snapshot(connection, serviceClock));
    return clock ? msToEdge(clock) : 0;
  } catch (error) {
    if (AWAY.test(codeOf(error))) return 0;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
