import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { reconcile } from '../../src/jobs/round-cycle.ts';
import { type OfferedPrediction, predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { manualClock } from '../support/manual-clock.ts';
import { addAgents, type Arena, only, openArena } from '../support/arena.ts';
import { roundStarting } from '../support/rounds-now.ts';

let arena: Arena;
let roundId: number;

const AGENTS = 1_200;
const NOON = '2026-01-01T12:00:00.000Z';

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, AGENTS);
});

beforeEach(async () => {
  await arena.reset();
  await reconcile(arena, new Date(NOON));
  ({ id: roundId } = await roundStarting(arena, NOON));
});

afterAll(() => arena.close());

function offer(agentId: number, more: Partial<OfferedPrediction> = {}): OfferedPrediction {
  return { roundId, agentId, prediction: 'YES', confidence: agentId % 101, idempotencyKey: null, ...more };
}

/** A writer whose clock stands; `statements()` counts how often it looked at the clock, once for each statement. */
function writerAt(time: string, lockMs = 0) {
  const clock = manualClock(time);
  let statements = 0;
  const counting = {
    ...clock,
    now: () => {
      statements += 1;
      return clock.now();
    },
  };
  return { ...predictionWriter(arena.newEm, counting, lockMs), clock, statements: () => statements };
}

function counts() {
  return only<{ entries: number; confidences: number }>(
    arena,
    'select total_entries as entries, confidence_sum as confidences from rounds where id = $1',
    [roundId],
  );
}

describe('writing', () => {
  test('answers with the id and the time that are in the database', async () => {
    const writer = writerAt('2026-01-01T12:10:00.123Z');
    const accepted = await writer.write(offer(7, { confidence: 85, idempotencyKey: 'once "more"' }));
    expect(accepted).toEqual({ id: expect.any(Number), submittedAt: new Date('2026-01-01T12:10:00.123Z') });
    expect(await arena.query('select * from predictions')).toEqual([
      {
        round_id: roundId,
        agent_id: 7,
        id: accepted?.id,
        prediction: 'YES',
        confidence: 85,
        submitted_at: accepted?.submittedAt,
        idempotency_key: 'once "more"',
      },
    ]);
    expect(await counts()).toEqual({ entries: 1, confidences: 85 });
  });

  test('puts all that arrives while a statement is under way into the next, in the order of arrival', async () => {
    const writer = writerAt('2026-01-01T12:10:00Z');
    const agents = Array.from({ length: AGENTS }, (_, place) => ((place * 7) % AGENTS) + 1);
    const accepted = await Promise.all(agents.map((agentId) => writer.write(offer(agentId))));
    // The first alone, then 500, 500 and the other 199.
    expect(writer.statements()).toBe(4);
    const ids = accepted.map((one) => one?.id ?? 0);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    const stored = await arena.query<{ agent_id: number }>('select agent_id from predictions order by id');
    expect(stored.map(({ agent_id }) => agent_id)).toEqual(agents);
    const confidences = agents.reduce((sum, agentId) => sum + (agentId % 101), 0);
    expect(await counts()).toEqual({ entries: AGENTS, confidences });
  });

  test('is idle when all of it is committed', async () => {
    const writer = writerAt('2026-01-01T12:10:00Z');
    await writer.settled();
    const writes = [1, 2, 3].map((agentId) => writer.write(offer(agentId)));
    await writer.settled();
    expect(await counts()).toEqual({ entries: 3, confidences: 6 });
    await Promise.all(writes);
  });
});

describe('a second prediction of an agent', () => {
  test('is not taken, and not counted', async () => {
    const writer = writerAt('2026-01-01T12:10:00Z');
    const first = await writer.write(offer(1, { confidence: 60 }));
    expect(await writer.write(offer(1, { confidence: 90, prediction: 'NO' }))).toBeNull();
    expect(await arena.query('select id, prediction from predictions')).toEqual([{ id: first?.id, prediction: 'YES' }]);
    expect(await counts()).toEqual({ entries: 1, confidences: 60 });
  });

  test('is not taken in the same statement either: the first of them is', async () => {
    const writer = writerAt('2026-01-01T12:10:00Z');
    const offers = [
      offer(9),
      offer(1, { confidence: 10 }),
      offer(1, { confidence: 20 }),
      offer(2),
      offer(1, { confidence: 30 }),
    ];
    const accepted = await Promise.all(offers.map((one) => writer.write(one)));
    expect(accepted.map((one) => one !== null)).toEqual([true, true, false, true, false]);
    expect(await counts()).toEqual({ entries: 3, confidences: 9 + 10 + 2 });
  });

  test('is not taken when many writers offer it at once: one of them wins', async () => {
    const writers = Array.from({ length: 6 }, () => writerAt('2026-01-01T12:10:00Z'));
    for (let agentId = 1; agentId <= 20; agentId += 1) {
      const accepted = await Promise.all(writers.map((writer) => writer.write(offer(agentId))));
      expect(accepted.filter((one) => one !== null)).toHaveLength(1);
    }
    expect(await counts()).toEqual({ entries: 20, confidences: 210 });
  });
});

describe('a round takes predictions', () => {
  test.each([
    ['from its first instant', NOON, 0, true],
    ['until the last before its end', '2026-01-01T12:59:59.999Z', 0, true],
    ['but none at its end, also before it is closed', '2026-01-01T13:00:00.000Z', 0, false],
    ['but none before its start', '2026-01-01T11:59:59.999Z', 0, false],
    ['until it is locked', '2026-01-01T12:54:59.999Z', 5 * 60_000, true],
    ['but none from the lock on', '2026-01-01T12:55:00.000Z', 5 * 60_000, false],
  ])('%s', async (_, time, lockMs, taken) => {
    expect((await writerAt(time, lockMs).write(offer(1))) !== null).toBe(taken);
    expect((await counts()).entries).toBe(taken ? 1 : 0);
  });

  test('while it is active only', async () => {
    const { id: upcoming } = await roundStarting(arena, '2026-01-01T13:00:00Z');
    const writer = writerAt('2026-01-01T13:10:00Z');
    expect(await writer.write(offer(1, { roundId: upcoming }))).toBeNull();
    expect(await writer.write(offer(1, { roundId: 99_999 }))).toBeNull();
    expect(await arena.query('select 1 from predictions')).toEqual([]);
  });
});

test('a statement that fails rejects its own group and no other', async () => {
  const writer = writerAt('2026-01-01T12:10:00Z');
  const before = writer.write(offer(1));
  const group = [offer(2), offer(999_999), offer(3)].map((one) => writer.write(one));
  const results = await Promise.allSettled([before, ...group]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(await counts()).toEqual({ entries: 1, confidences: 1 });
  const after = await Promise.all([offer(2), offer(3)].map((one) => writer.write(one)));
  expect(after).toEqual([expect.anything(), expect.anything()]);
  expect(await counts()).toEqual({ entries: 3, confidences: 6 });
});
