import { setTimeout as delay } from 'node:timers/promises';

import { decisionsIn } from '../../faults/decisions.ts';
import { type Load, startLoad } from '../../faults/load.ts';
import { recordOf } from '../../support/http.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { snapshot } from '../../support/snapshot.ts';
import { segmentSubscriber, socketSubscriber, streamSubscriber, type Subscriber } from '../../support/subscriber.ts';
import { type BalancedSite, balancedSite } from './balanced-site.ts';

/** What clients see of a site that works. */
export const EVERYTHING = ['submissions', 'events', 'decisions', 'reads'] as const;
export type Going = (typeof EVERYTHING)[number];

/** Agents, readers and subscribers of a site, all of them by way of nginx. */
export interface BalancedStory extends AsyncDisposable {
  readonly site: BalancedSite;
  readonly load: Load;
  readonly subscribers: readonly Subscriber[];
  /** How often readers had each status so far; 0: none, since the connection was refused or cut. */
  readonly seen: Map<number, number>;
  /** Resolves when each of these has gone on since the call, with the milliseconds that it took. */
  goesOn(what: readonly Going[]): Promise<Readonly<Record<string, number>>>;
  /** The ids of a round's scored predictions, by its public results. */
  scoredIn(roundId: number): Promise<readonly number[]>;
}

const PATHS = [
  '/api/rounds/current',
  '/api/leaderboard',
  '/api/stats',
  '/api/events/head',
  '/api/events/segments/1?epoch=1',
];
const AGENTS = 24;
const READERS = 3;
const LOOK_AGAIN_MS = 50;
const READ_MS = 10_000;
const MOST_RESULTS = 1_000;

export async function balancedStory(speed: number): Promise<BalancedStory> {
  await using opened = new AsyncDisposableStack();
  const site = opened.use(await balancedSite(speed));
  const { url, connection } = site;
  const load = opened.use(startLoad({ seed: 5, agents: AGENTS, urls: [url], speed }));
  const subscribers = [
    opened.use(socketSubscriber('the socket', [url])),
    opened.use(streamSubscriber('the stream', [url])),
    opened.use(segmentSubscriber('the segments', url)),
  ];
  const { seen } = opened.use(startReaders(url));
  const decided = async () => (await decisionsIn(connection)).length;
  const going: Readonly<Record<Going, () => Promise<unknown>>> = {
    async submissions() {
      const { accepted } = load.memory;
      const before = accepted.size;
      await untilDespiteFaults('a submission is accepted', () => accepted.size > before);
    },
    async events() {
      const [row] = await snapshot(connection, (ask) => ask<{ seq: number }>('select last_seq as seq from platform'));
      await Promise.all(subscribers.map((one) => one.reaches((row?.seq ?? 0) + 1)));
    },
    async decisions() {
      const before = await decided();
      await untilDespiteFaults('a round is decided', async () => (await decided()) > before);
    },
    async reads() {
      for (const path of PATHS)
        await untilDespiteFaults(`${path} has 200`, async () => (await read(url, path)) === 200);
    },
  };
  const kept = opened.move();
  return {
    site,
    load,
    subscribers,
    seen,
    async goesOn(what) {
      const began = performance.now();
      const took = what.map(async (one) => {
        await going[one]();
        return [one, Math.round(performance.now() - began)] as const;
      });
      return Object.fromEntries(await Promise.all(took));
    },
    async scoredIn(roundId) {
      const response = await fetch(`${url}/api/rounds/${roundId}/results?limit=${MOST_RESULTS}`);
      const { predictions } = recordOf(await response.json());
      const rows = Array.isArray(predictions) ? predictions.map(recordOf) : [];
      return rows.filter(({ score }) => typeof score === 'number').map(({ id }) => Number(id));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function startReaders(url: string) {
  const seen = new Map<number, number>();
  const over = new AbortController();
  const live = async (first: number): Promise<void> => {
    for (let turn = first; !over.signal.aborted; turn += 1) {
      const status = await read(url, PATHS[turn % PATHS.length] ?? '');
      seen.set(status, (seen.get(status) ?? 0) + 1);
      await delay(LOOK_AGAIN_MS);
    }
  };
  const lives = Promise.all(Array.from({ length: READERS }, (_, first) => live(first)));
  return {
    seen,
    async [Symbol.asyncDispose]() {
      over.abort();
      await lives;
    },
  };
}

async function read(url: string, path: string): Promise<number> {
  try {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(READ_MS) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
