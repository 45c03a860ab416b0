import { expect, test } from '@jest/globals';

import { decisionsIn } from '../../faults/decisions.ts';
import { differences } from '../../faults/oracle.ts';
import { describeWith } from '../../support/installed.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import type { Ended } from '../../support/process.ts';
import { sharedDisposable } from '../../support/shared.ts';
import { segmentSubscriber } from '../../support/subscriber.ts';
import { type PartName, PARTS } from './balanced-site.ts';
import { balancedStory, EVERYTHING, type Going } from './balanced-story.ts';

const SPEED = 1_200;

/** What goes on while a part is away. The feed waits for Redis. */
const WITHOUT: Readonly<Record<PartName, readonly Going[]>> = {
  'api 1': EVERYTHING,
  'api 2': EVERYTHING,
  'feed 1': EVERYTHING,
  'feed 2': EVERYTHING,
  'worker 1': EVERYTHING,
  'worker 2': EVERYTHING,
  Redis: ['submissions', 'decisions', 'reads'],
  PgBouncer: [],
  PostgreSQL: [],
  nginx: [],
};

const SUCCESS = 200;
/** 0: no answer. */
const EXPECTED = new Set([0, SUCCESS, 502, 503, 504]);

describeWith(['pgbouncer', 'nginx', 'openssl', 'redis-server'], 'a site behind a pooler and a balancer', () => {
  const story = sharedDisposable(() => balancedStory(SPEED));

  test.each(PARTS)('agents and subscribers lose nothing while %s is killed and started again', async (name) => {
    const { site, load, subscribers, seen } = story;
    await story.goesOn(EVERYTHING);
    seen.clear();
    const began = performance.now();
    await site.parts[name].kill();
    await story.goesOn(WITHOUT[name]);
    if (WITHOUT[name].length === 0)
      await untilDespiteFaults('a reader is refused', () => [...seen.keys()].some((status) => status !== SUCCESS));
    const awayMs = performance.now() - began;
    await site.parts[name].start();
    const backMs = await story.goesOn(EVERYTHING);
    // From the first event on.
    await using late = segmentSubscriber(`a reader after ${name}`, site.url);
    await late.reaches(Math.max(...subscribers.map(({ last }) => last)));
    tell(name, { awayMs: Math.round(awayMs), backMs, statuses: Object.fromEntries(seen), events: late.last });
    expect([...seen.keys()].filter((status) => !EXPECTED.has(status))).toEqual([]);
    expect(await differences(site.connection, { memory: load.memory, subscribers: [...subscribers, late] })).toEqual(
      [],
    );
    expect(site.processes.filter(({ pid }) => pid === null).map((process) => process.output())).toEqual([]);
  });

  test('every accepted prediction is in the results once, and scored', async () => {
    const { site, load } = story;
    await load.stop();
    const accepted = [...load.memory.accepted.values()];
    const rounds = [...new Set(accepted.map(({ roundId }) => roundId))];
    const isDecided = async (): Promise<boolean> => {
      const decided = new Set((await decisionsIn(site.connection)).map(({ id }) => id));
      return rounds.every((id) => decided.has(id));
    };
    await untilDespiteFaults('the last round is decided', isDecided);
    const scored = (await Promise.all(rounds.map((id) => story.scoredIn(id)))).flat();
    tell('predictions', { accepted: accepted.length, rounds: rounds.length });
    expect(rounds.length).toBeGreaterThanOrEqual(PARTS.length);
    expect(scored.toSorted((one, other) => one - other)).toEqual(
      [...new Set(scored)].toSorted((one, other) => one - other),
    );
    expect(accepted.filter(({ id }) => !scored.includes(id))).toEqual([]);
  });

  test('each round is decided once, in order', async () => {
    const decided = await decisionsIn(story.site.connection);
    expect(decided.map(({ times }) => times)).toEqual(decided.map(() => 1));
    expect(decided.map(({ id }) => id)).toEqual(decided.map(({ id }) => id).toSorted((one, other) => one - other));
  });

  test('every process ends in order', async () => {
    const ends: (Ended | null)[] = [];
    for (const process of story.site.processes) ends.push(await process.end('SIGTERM'));
    expect(ends.filter((end) => end?.code !== 0)).toEqual([]);
  });
});

/** The figures of docs/faults.md, where they are asked for. */
function tell(name: string, figures: object): void {
  if (process.env['PRINT_FAULTS'] !== undefined) process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
}
