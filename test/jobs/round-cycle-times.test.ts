import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import { emptyMarket } from '../support/rounds-now.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena();

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');

interface Expected {
  /** Status by hour. */
  readonly rounds: Map<number, string>;
  readonly events: string[];
}

/** What the decisions say of a service that looks at the time `now`, whatever it was before. */
function look({ rounds, events }: Expected, now: number): void {
  const hour = Math.floor(now / HOUR_MS);
  for (const [known, status] of rounds) if (status === 'upcoming' && known < hour) rounds.delete(known);
  const of = (status: string) => [...rounds].filter(([, one]) => one === status).map(([known]) => known);
  const store = (due: number): void => {
    if (rounds.has(due)) return;
    rounds.set(due, 'upcoming');
    events.push(`ROUND_STORED ${due}`);
  };
  // An hour that is known turns before the next one's question is asked; one that is not has to be stored first.
  const isKnown = rounds.has(hour);
  if (!isKnown) for (const due of [hour, hour + 1]) store(due);
  for (const over of of('active').filter((one) => one < hour)) {
    rounds.set(over, 'resolving');
    events.push(`ROUND_CLOSED ${over}`);
  }
  if (rounds.get(hour) === 'upcoming') {
    rounds.set(hour, 'active');
    events.push(`ROUND_OPENED ${hour}`);
  }
  store(hour + 1);
}

async function found() {
  const rounds = await arena.query<{ hour: number; status: string }>(
    `select (extract(epoch from start_time) / 3600)::int as hour, status from rounds order by start_time`,
  );
  const events = await arena.query<{ seq: number; kind: string; round_id: number }>(
    'select seq, kind, round_id from events order by seq',
  );
  return { rounds, events };
}

/** Mostly small steps, some over many hours, and many that end exactly on an hour's edge or just before it. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 * 60_000 }).map((ms) => (now: number) => now + ms) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 30 }).map((hours) => (now: number) => now + hours * HOUR_MS) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom(0, -1, 1)).map(
      ([hours, ms]) =>
        (now: number) =>
          Math.max(now, (Math.floor(now / HOUR_MS) + hours) * HOUR_MS + ms),
    ),
  },
);

test('each hour with a run has its round, one of them active, for any times', async () => {
  const needs = { ...arena, market: emptyMarket(arena.market) };
  const run = fc.array(fc.tuple(step, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(run, async (steps) => {
      await arena.reset();
      const expected: Expected = { rounds: new Map(), events: [] };
      let now = START;
      for (const [next, times] of steps) {
        now = next(now);
        look(expected, now);
        const present = new Date(now);
        await Promise.all(Array.from({ length: times }, () => reconcile(needs, present)));
        const { rounds } = await found();
        expect(new Map(rounds.map(({ hour, status }) => [hour, status]))).toEqual(expected.rounds);
        expect(rounds.filter(({ status }) => status === 'active')).toHaveLength(1);
        expect(rounds.filter(({ status }) => status === 'upcoming')).toHaveLength(1);
      }
      const { events } = await found();
      expect(events.map(({ seq }) => seq)).toEqual(expected.events.map((_, place) => place + 1));
      expect(events.map(({ kind }) => kind)).toEqual(expected.events.map((event) => event.split(' ')[0]));
    }),
    { numRuns: 30 },
  );
});
