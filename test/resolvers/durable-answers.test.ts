import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';

import { openOrm, type Orm } from '../../src/database/orm.ts';
import { openPools } from '../../src/database/pools.ts';
import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import { roundsByKey, whichPredicted } from '../../src/reads/predictions.ts';
import { keyLookup } from '../../src/resolvers/keys.ts';
import { predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { addAgents, type Arena, hashOf, only, openArena } from '../support/arena.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/poll.ts';
import { roundStarting } from '../support/rounds-now.ts';

const NOON = '2026-01-01T12:00:00.000Z';
const AT = '2026-01-01T12:10:00.000Z';

/** In place of PostgreSQL's own it waits, as for a slow disk, while somebody holds the lock. */
const HOLD_DURABILITY_BACK = `
  create schema held;
  create function held.pg_logical_emit_message(boolean, text, text) returns pg_lsn language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(1);
    return pg_catalog.pg_logical_emit_message($1, $2, $3);
  end $$`;

let arena: Arena;
let orm: Orm;
let disk: Client;
let roundId: number;
let prediction: string;

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, 10);
  await arena.query(HOLD_DURABILITY_BACK);
  await arena.query(`alter database "${arena.connection.database}" set search_path = held, pg_catalog, public`);
  orm = await openOrm(arena.connection, 4, { pipelines: true });
  disk = new Client(arena.connection);
  await disk.connect();
});

beforeEach(async () => {
  await arena.reset();
  await reconcile(arena, new Date(NOON));
  ({ id: roundId } = await roundStarting(arena, NOON));
  ({ prediction } = await only<{ prediction: string }>(
    arena,
    'select choices ->> 0 as prediction from rounds where id = $1',
    [roundId],
  ));
  await disk.query('select pg_advisory_lock(1)');
});

afterAll(async () => {
  await disk?.end();
  await orm?.close(true);
  await arena?.close();
});

async function letGo(): Promise<void> {
  await disk.query('select pg_advisory_unlock_all()');
}

function write(writer: ReturnType<typeof predictionWriter>, agentId: number) {
  const answer = writer.write({
    roundId,
    keyHash: hashOf(agentId),
    prediction,
    confidence: 60,
    idempotencyKey: 'once',
  });
  return noted(answer);
}

/** Says whether the answer has come. */
function noted<Value>(answer: Promise<Value>) {
  const seen = { isThere: false, answer };
  const come = (): void => void (seen.isThere = true);
  answer.then(come, come);
  return seen;
}

const isStored = async (agentId: number): Promise<boolean> =>
  (await arena.query('select from predictions where agent_id = $1', [agentId])).length > 0;

const newWriter = () => predictionWriter(orm.statements, manualClock(AT), 0);

test('an acceptance waits until its commit is on disk, the next statement does not', async () => {
  const writer = newWriter();
  const first = write(writer, 1);
  await until('the first is stored', () => isStored(1));
  const second = write(writer, 2);
  await until('the second is stored', () => isStored(2));
  expect([first.isThere, second.isThere]).toEqual([false, false]);
  await letGo();
  expect([await first.answer, await second.answer]).toEqual([
    expect.objectContaining({ agentId: 1 }),
    expect.objectContaining({ agentId: 2 }),
  ]);
});

test('an agent’s next submission waits for the answer to its first', async () => {
  const writer = newWriter();
  const first = write(writer, 1);
  await until('the first is stored', () => isStored(1));
  const again = write(writer, 1);
  const other = write(writer, 2);
  await until('the other is stored', () => isStored(2));
  expect([first.isThere, again.isThere, other.isThere]).toEqual([false, false, false]);
  await letGo();
  expect([await first.answer, await again.answer]).toEqual([expect.objectContaining({ agentId: 1 }), null]);
  await other.answer;
});

test('a prediction is not returned to anybody before it is on disk', async () => {
  const first = write(newWriter(), 1);
  await until('the first is stored', () => isStored(1));
  const since = new Date('2026-01-01T00:00:00Z');
  const repeated = noted(
    roundsByKey(orm.statements, [
      { agentId: 2, idempotencyKey: 'once', since },
      { agentId: 1, idempotencyKey: 'once', since },
    ]),
  );
  const second = noted(
    whichPredicted(orm.statements, [
      { roundId, agentId: 2 },
      { roundId, agentId: 1 },
    ]),
  );
  // Who has none is told at once.
  expect(await whichPredicted(orm.statements, [{ roundId, agentId: 2 }])).toEqual([false]);
  expect([first.isThere, repeated.isThere, second.isThere]).toEqual([false, false, false]);
  await letGo();
  expect(await repeated.answer).toEqual([null, roundId]);
  expect(await second.answer).toEqual([false, true]);
  await first.answer;
});

test('keys are looked up while nothing is flushed', async () => {
  await using pools = await openPools(arena.connection);
  const writer = predictionWriter(pools.statements.submissions, manualClock(AT), 0);
  const answers = [];
  for (let agentId = 1; pools.use()['submissions']?.waiting !== 1; agentId += 1) {
    answers.push(write(writer, agentId).answer);
    const isBegun = async () => pools.use()['submissions']?.waiting === 1 || isStored(agentId);
    await until('it is stored, or waits for a connection', isBegun);
  }
  expect(await keyLookup(pools.statements.urgent).add(hashOf(9))).toMatchObject({ id: 9 });
  await letGo();
  expect(await Promise.all(answers)).toHaveLength(answers.length);
  expect(answers.length).toBeGreaterThan(1);
});

test('a connection lost between statement and flush leaves the answer unknown', async () => {
  const first = write(newWriter(), 1);
  const rejected = expect(first.answer).rejects.toThrow(/terminat/);
  // Other suites wait for locks of their own databases on the same server.
  const endWhatWaits = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await until('it waits for the disk', async () => (await arena.query(endWhatWaits)).length > 0);
  await rejected;
  expect(await isStored(1)).toBe(true);
  await letGo();
});
