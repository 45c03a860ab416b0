import { expect } from '@jest/globals';
import type { ClientConfig } from 'pg';

import { setTimeout as delay } from 'node:timers/promises';

import { answerTally, type AnswerTally } from './answer-tally.ts';
import { startLoad } from './load.ts';
import { differences } from './oracle.ts';
import { attempt } from './attempt.ts';
import type { Answer } from './memory.ts';
import type { Uptime } from '../support/service-process.ts';
import { snapshot } from '../support/snapshot.ts';
import { socketSubscriber, streamSubscriber } from '../support/subscriber.ts';
import { untilDespiteFaults } from '../support/poll.ts';

export interface ArenaNeeds {
  readonly urls: readonly string[];
  readonly connection: () => Promise<ClientConfig | null>;
  /** Service seconds per real second. */
  readonly speed: number;
  readonly seed: number;
  /** Default true: service time can be worked out from the real time, so that every hour must have its round. */
  readonly clockIsSteady?: boolean;
}

export interface Fault {
  readonly name: string;
  /** Begins it and ends it again; what comes after is the service's own recovery. */
  readonly happen: (during: AnswerTally) => Promise<void>;
  /** What clients see meanwhile, beside that every refusal is clear and in time. */
  readonly seen?: (during: AnswerTally) => void;
  /** The longest that an answer may take, where that is not the usual. */
  readonly longestMs?: number;
}

/** Agents that submit without end, readers that ask, and two that follow the feed, while things break. */
export interface ArenaUnderFault extends AsyncDisposable {
  /** Lets it happen, waits until all goes on, and holds what clients saw and what is stored against the rules. */
  undergo(fault: Fault): Promise<void>;
  /** The longest answer of the present fault that needs no database: how much later than itself the machine is. */
  machineMs(): number;
}

const AGENTS = 12;
const READERS = 3;
/** One that needs no database, and so takes as long as the machine has it take. */
const NEEDS_THE_PROCESS_ALONE = '/api/health';
/** Where readers look. */
const READ = ['/api/leaderboard', '/api/stats', '/api/rounds/recent', NEEDS_THE_PROCESS_ALONE];
const LOOK_AGAIN_MS = 100;
/** Nobody waits longer than 5 s, on a machine that has time for what needs no database. */
const LONGEST_ANSWER_MS = 8_000;
/** So many more submissions tell that all goes on. */
const ENOUGH = AGENTS;

export async function arenaUnderFault({
  urls,
  connection,
  speed,
  seed,
  clockIsSteady = true,
}: ArenaNeeds): Promise<ArenaUnderFault> {
  const tallies = { now: answerTally() };
  const take: AnswerTally['take'] = (answer) => tallies.now.take(answer);
  const load = startLoad({ seed, agents: AGENTS, urls, speed, onAnswer: take });
  const machine = { longestMs: 0 };
  const readers = startReaders(urls, (answer, path) => {
    take(answer);
    if (path === NEEDS_THE_PROCESS_ALONE) machine.longestMs = Math.max(machine.longestMs, answer.latencyMs);
  });
  const subscribers = [socketSubscriber('the socket', urls), streamSubscriber('the stream', urls)];
  const steady: Uptime[] = [];
  const submitted = (from = load.memory.accepted.size) =>
    untilDespiteFaults('submissions are accepted', () => load.memory.accepted.size >= from + ENOUGH);
  await submitted(0);

  const decided = async (): Promise<void> => {
    const last = await figureOf(
      connection,
      'select max(id) as found from rounds where start_time <= (select max(at) from events)',
    );
    await untilDespiteFaults(
      `round ${last} is decided`,
      async () =>
        (await figureOf(
          connection,
          `select count(*)::int as found from rounds where id <= ${last} and status not in ('resolved', 'void')`,
        )) === 0,
    );
    const seq = await figureOf(connection, 'select last_seq as found from platform');
    for (const subscriber of subscribers) await subscriber.reaches(seq);
  };
  return {
    machineMs: () => machine.longestMs,
    async undergo({ name, happen, seen, longestMs = LONGEST_ANSWER_MS }) {
      const during = answerTally();
      tallies.now = during;
      machine.longestMs = 0;
      const last = steady.at(-1);
      if (last) last.to = Date.now();
      await happen(during);
      const ended = performance.now();
      const before = load.memory.accepted.size;
      await untilDespiteFaults('a submission is accepted again', () => load.memory.accepted.size > before);
      const recoveryMs = performance.now() - ended;
      steady.push({ from: Date.now(), to: null });
      await submitted();
      await decided();
      const database = await connection();
      if (database === null) throw new Error('There is no database to look at');
      const found = await differences(database, {
        memory: load.memory,
        subscribers,
        uptimes: clockIsSteady ? steady : [],
      });
      tell(name, { during, recoveryMs, found });
      expect(found).toEqual([]);
      expect(during.unclear).toEqual([]);
      expect(during.longestMs()).toBeLessThan(longestMs + machine.longestMs);
      seen?.(during);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([load.stop(), readers.stop(), ...subscribers.map((one) => one[Symbol.asyncDispose]())]);
    },
  };
}

async function figureOf(connection: ArenaNeeds['connection'], sql: string): Promise<number> {
  const database = await connection();
  if (database === null) return Number.NaN;
  const rows = await snapshot(database, (ask) => ask<{ found: number }>(sql));
  return Number(rows[0]?.found);
}

function startReaders(urls: readonly string[], take: (answer: Answer, path: string) => void) {
  const over = new AbortController();
  const read = async (turn: number): Promise<void> => {
    for (let count = turn; !over.signal.aborted; count += 1) {
      const path = READ[count % READ.length] ?? '';
      take(await attempt(urls[count % urls.length] ?? '', { method: 'GET', path }), path);
      await delay(LOOK_AGAIN_MS);
    }
  };
  const all = Promise.all(Array.from({ length: READERS }, (_, turn) => read(turn)));
  return {
    async stop() {
      over.abort();
      await all;
    },
  };
}

/** A row of docs/faults.md, where it is asked for. */
function tell(
  name: string,
  { during, recoveryMs, found }: { during: AnswerTally; recoveryMs: number; found: readonly string[] },
): void {
  if (process.env['PRINT_FAULTS'] === undefined) return;
  const verdict = found.length === 0 ? 'nothing' : `${found.length} differences`;
  const longest = Math.round(during.longestMs());
  process.stdout.write(
    `| ${name} | ${during.statuses()} | ${longest} ms | ${(recoveryMs / 1000).toFixed(1)} s | ${verdict} |\n`,
  );
}
