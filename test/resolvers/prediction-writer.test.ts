import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { openPools } from '../../src/database/pools.ts';
import { statement } from '../../src/database/statements.ts';
import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import { type OfferedPrediction, predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { manualClock } from '../support/manual-clock.ts';
import { addAgents, type Arena, hashOf, only, openArena } from '../support/arena.ts';
import { roundStarting } from '../support/rounds-now.ts';
import { statementsDuring } from './analysts/counted-statements.ts';

let arena: Arena;
let roundId: number;
/** The first and the second choice of the round. */
let choices: readonly [string, string];

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
  ({ choices } = await only<{ choices: [string, string] }>(arena, 'select choices from rounds where id = $1', [
    roundId,
  ]));
});

afterAll(() => arena.close());

function offer(agentId: number, more: Partial<OfferedPrediction> = {}): OfferedPrediction {
  const keyHash = hashOf(agentId);
  return { roundId, keyHash, prediction: choices[0], confidence: agentId % 101, idempotencyKey: null, ...more };
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
  return { ...predictionWriter(arena.statements, counting, lockMs), clock, statements: () => statements };
}

function counts() {
  return only<{ entries: number; confidences: number }>(
    arena,
    'select total_entries as entries, confidence_sum as confidences from rounds where id = $1',
    [roundId],
  );
}

describe('writing', () => {
  test('the writer returns the id and time of the database', async () => {
    const writer = writerAt('2026-01-01T12:10:00.123Z');
    const accepted = await writer.write(offer(7, { confidence: 85, idempotencyKey: 'once "more", \\ {null}' }));
    const submittedAt = new Date('2026-01-01T12:10:00.123Z');
    expect(accepted).toEqual({ id: expect.any(Number), agentId: 7, agentName: 'agent-7', submittedAt });
    expect(await arena.query('select * from predictions')).toEqual([
      {
        round_id: roundId,
        agent_id: 7,
        id: accepted?.id,
        prediction: choices[0],
        confidence: 85,
        submitted_at: submittedAt,
        idempotency_key: 'once "more", \\ {null}',
        standing: false,
        set_at: null,
      },
    ]);
    expect(await counts()).toEqual({ entries: 1, confidences: 85 });
  });

  test('predictions that arrive during a statement are in the next, in order of arrival', async () => {
    const writer = writerAt('2026-01-01T12:10:00Z');
    const agents = Array.from({ length: AGENTS }, (_, place) => ((place * 7) % AGENTS) + 1);
    const accepted = await Promise.all(agents.map((agentId) => writer.write(offer(agentId))));
    // 500, 500 and the other 200: the first of them waits for those that come in the same turn of the event loop.
    expect(writer.statements()).toBe(3);
    expect(accepted.map((one) => one?.agentId)).toEqual(agents);
    const ids = accepted.map((one) => one?.id ?? 0);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    const stored = await arena.query<{ agent_id: number }>('select agent_id from predictions order by id');
    expect(stored.map(({ agent_id }) => agent_id)).toEqual(agents);
    const confidences = agents.reduce((sum, agentId) => sum + (agentId % 101), 0);
    expect(await counts()).toEqual({ entries: AGENTS, confidences });
  });

  test('settled() waits until everything is committed', async () => {
    const writer = writerAt('2026-01-01T12:10:00Z');
    await writer.settled();
    const writes = [1, 2, 3].map((agentId) => writer.write(offer(agentId)));
    await writer.settled();
    expect(await counts()).toEqual({ entries: 3, confidences: 6 });
    await Promise.all(writes);
  });
});

describe('second prediction of an agent', () => {
  test('a second prediction is refused and not counted', async () => {
    const writer = writerAt('2026-01-01T12:10:00Z');
    const first = await writer.write(offer(1, { confidence: 60 }));
    expect(await writer.write(offer(1, { confidence: 90, prediction: choices[1] }))).toBeNull();
    expect(await arena.query('select id, prediction from predictions')).toEqual([
      { id: first?.id, prediction: choices[0] },
    ]);
    expect(await counts()).toEqual({ entries: 1, confidences: 60 });
  });

  test('a second prediction in the same statement is refused', async () => {
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

  test('one of many concurrent writers wins', async () => {
    const writers = Array.from({ length: 6 }, () => writerAt('2026-01-01T12:10:00Z'));
    for (let agentId = 1; agentId <= 20; agentId += 1) {
      const accepted = await Promise.all(writers.map((writer) => writer.write(offer(agentId))));
      expect(accepted.filter((one) => one !== null)).toHaveLength(1);
    }
    expect(await counts()).toEqual({ entries: 20, confidences: 210 });
  });
});

test('an id that a prediction has already fails the statement, which does not run again', async () => {
  const writer = writerAt('2026-01-01T12:10:00Z');
  const first = await writer.write(offer(1));
  await arena.query(`select setval('predictions_id_seq', $1, false)`, [first?.id]);
  await expect(writer.write(offer(2))).rejects.toMatchObject({ constraint: 'predictions_first_id_unique' });
  expect(await counts()).toEqual({ entries: 1, confidences: 1 });
});

function offeredBy(keyHash: string) {
  return writerAt('2026-01-01T12:10:00Z').write(offer(1, { keyHash }));
}

describe('keys', () => {
  test.each([
    ['of no agent', 'a'.repeat(64)],
    ['of a spectator', 'b'.repeat(64)],
    ['of an agent that lost its name', 'c'.repeat(64)],
  ])('a key %s writes nothing', async (_, keyHash) => {
    await arena.query(
      `insert into agents (name, name_key, mode, key_hash, registered_at, reserved_until)
       values ('one', 'one', 'spectate', repeat('b', 64), now(), 'infinity'), ('two', null, 'compete', repeat('c', 64), now(), null)`,
    );
    expect(await offeredBy(keyHash)).toBeNull();
    expect(await counts()).toEqual({ entries: 0, confidences: 0 });
    await arena.query(`delete from agents where key_hash in (repeat('b', 64), repeat('c', 64))`);
  });

  test('a replaced key writes nothing, and the new one does', async () => {
    await arena.query(`update agents set key_hash = repeat('d', 64) where id = 1`);
    expect(await offeredBy(hashOf(1))).toBeNull();
    expect(await offeredBy('d'.repeat(64))).toMatchObject({ agentId: 1, agentName: 'agent-1' });
    await arena.query(`update agents set key_hash = $1 where id = 1`, [hashOf(1)]);
  });
});

describe('idempotency keys', () => {
  const NEXT_NOON = '2026-01-02T12:00:00.000Z';

  test.each([
    ['is accepted once within 24 hours', '2026-01-02T12:09:59.999Z', 'once', false],
    ['is accepted again after 24 hours', '2026-01-02T12:10:00.000Z', 'once', true],
    ['differs from another one', '2026-01-02T12:09:59.999Z', 'twice', true],
  ])('an idempotency key %s, also in another round', async (_, time, idempotencyKey, taken) => {
    await writerAt('2026-01-01T12:10:00Z').write(offer(1, { idempotencyKey: 'once' }));
    await reconcile(arena, new Date(NEXT_NOON));
    const next = await roundStarting(arena, NEXT_NOON);
    const { pick } = await only<{ pick: string }>(arena, 'select choices->>0 as pick from rounds where id = $1', [
      next.id,
    ]);
    const again = offer(1, { roundId: next.id, prediction: pick, idempotencyKey });
    expect((await writerAt(time).write(again)) !== null).toBe(taken);
  });

  test('another agent’s idempotency key does not matter', async () => {
    const writer = writerAt('2026-01-01T12:10:00Z');
    const accepted = [1, 2].map((agentId) => writer.write(offer(agentId, { idempotencyKey: 'the same' })));
    expect((await Promise.all(accepted)).map((one) => one?.agentId)).toEqual([1, 2]);
  });
});

test('the statement reads agents and predictions by index, also with a plan for few rows', async () => {
  const statements = await statementsDuring(async () => {
    await writerAt('2026-01-01T12:10:00Z').write(offer(1));
  });
  const [insert = ''] = statements.filter((text) => text.includes('insert into predictions'));
  const types = 'text[], int, text[], smallint[], text[], timestamptz, timestamptz, timestamptz, int';
  await arena.query(
    `set enable_seqscan = off; set plan_cache_mode = force_generic_plan; prepare inserting (${types}) as ${insert}`,
  );
  const now = `'${NOON}'`;
  const plan = await arena.query(`explain execute inserting ('{}', 1, '{}', '{}', '{}', ${now}, ${now}, ${now}, 1)`);
  await arena.query('reset enable_seqscan; reset plan_cache_mode; deallocate inserting');
  const text = JSON.stringify(plan);
  expect(text).toContain('agents_key_hash_unique');
  expect(text).toContain('agents_pkey');
  expect(text).toContain('predictions_first_idempotency_key');
  expect(text).not.toMatch(/Seq Scan|Bitmap|Hash Join/);
});

test('connections of submissions plan a statement once, others for its values', async () => {
  await using pools = await openPools(arena.connection);
  const { submissions, urgent } = pools.statements;
  const mode = statement<[string]>({ name: 'plan-mode', text: `select current_setting('plan_cache_mode')` });
  expect(await submissions.rows(mode, [])).toEqual([['force_generic_plan']]);
  expect(await urgent.rows(mode, [])).toEqual([['auto']]);
});

test('a prediction outside the round’s choices is refused', async () => {
  expect(await writerAt('2026-01-01T12:10:00Z').write(offer(1, { prediction: 'MAYBE' }))).toBeNull();
  expect(await counts()).toEqual({ entries: 0, confidences: 0 });
});

describe('open hours of a round', () => {
  test.each([
    ['from its first instant', NOON, 0, true],
    ['until the last instant before its end', '2026-01-01T12:59:59.999Z', 0, true],
    ['but not at its end, also before it is closed', '2026-01-01T13:00:00.000Z', 0, false],
    ['but not before its start', '2026-01-01T11:59:59.999Z', 0, false],
    ['until it is locked', '2026-01-01T12:54:59.999Z', 5 * 60_000, true],
    ['but not from the lock on', '2026-01-01T12:55:00.000Z', 5 * 60_000, false],
  ])('a round accepts predictions %s', async (_, time, lockMs, taken) => {
    expect((await writerAt(time, lockMs).write(offer(1))) !== null).toBe(taken);
    expect((await counts()).entries).toBe(taken ? 1 : 0);
  });

  test('a round accepts predictions only while it is active', async () => {
    const { id: upcoming } = await roundStarting(arena, '2026-01-01T13:00:00Z');
    const writer = writerAt('2026-01-01T13:10:00Z');
    expect(await writer.write(offer(1, { roundId: upcoming }))).toBeNull();
    expect(await writer.write(offer(1, { roundId: 99_999 }))).toBeNull();
    expect(await arena.query('select 1 from predictions')).toEqual([]);
  });
});

test('a statement that fails rejects only its own group', async () => {
  const writer = writerAt('2026-01-01T12:10:00Z');
  const before = writer.write(offer(5));
  // Its statement begins with the next turn of the event loop.
  await new Promise(setImmediate);
  const group = [offer(2), offer(4, { prediction: 'not\0storable' }), offer(3)].map((one) => writer.write(one));
  const results = await Promise.allSettled([before, ...group]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(await counts()).toEqual({ entries: 1, confidences: 5 });
  const after = await Promise.all([offer(2), offer(3)].map((one) => writer.write(one)));
  expect(after).toEqual([expect.anything(), expect.anything()]);
  expect(await counts()).toEqual({ entries: 3, confidences: 10 });
});
