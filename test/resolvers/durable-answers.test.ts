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

/** Commits and `pg_logical_emit_message` wait, as for a slow disk, while somebody holds the lock. */
const HOLD_DURABILITY_BACK = `
  create schema held;
  create function held.pg_logical_emit_message(boolean, text, text) returns pg_lsn language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(1);
    return pg_catalog.pg_logical_emit_message($1, $2, $3);
  end $$;
  create function held.hold() returns trigger language plpgsql as $$
  begin
    if new.confidence > 0 then perform pg_advisory_xact_lock_shared(1); end if;
    return null;
  end $$;
  create constraint trigger hold after insert on predictions deferrable initially deferred
    for each row execute function held.hold()`;

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
  orm = await openOrm(arena.connection, 4);
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

async function untilHeld(): Promise<void> {
  await until('a commit waits', async () => (await arena.query(WAITING)).length > 0);
}

/** Other suites wait for locks of their own databases on the same server. */
const WAITING = `select pid from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

test('an acceptance waits for its commit, and nobody reads the prediction before', async () => {
  const first = write(newWriter(), 1);
  await untilHeld();
  expect([first.isThere, await isStored(1)]).toEqual([false, false]);
  await letGo();
  expect(await first.answer).toMatchObject({ agentId: 1 });
  expect(await isStored(1)).toBe(true);
});

test('a stored prediction is not returned to anybody before it is on disk', async () => {
  await arena.query(
    `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at, idempotency_key)
     values ($1, 1, $2, 0, $3, 'once')`,
    [roundId, prediction, AT],
  );
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
  expect([repeated.isThere, second.isThere]).toEqual([false, false]);
  await letGo();
  expect(await repeated.answer).toEqual([null, roundId]);
  expect(await second.answer).toEqual([false, true]);
});

test('keys are looked up while nothing is committed', async () => {
  await using pools = await openPools(arena.connection);
  const first = write(predictionWriter(pools.statements.submissions, manualClock(AT), 0), 1);
  await untilHeld();
  expect(await keyLookup(pools.statements.urgent).add(hashOf(9))).toMatchObject({ id: 9 });
  await letGo();
  expect(await first.answer).toMatchObject({ agentId: 1 });
});

test('a connection lost at the commit leaves the answer unknown', async () => {
  const first = write(newWriter(), 1);
  const rejected = expect(first.answer).rejects.toThrow(/terminat/);
  await untilHeld();
  await arena.query(`select pg_terminate_backend(pid) from (${WAITING}) waiting`);
  await rejected;
  await letGo();
});
