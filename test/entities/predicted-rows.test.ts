import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';

import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import { addAgents, only } from '../support/arena.ts';
import { until } from '../support/poll.ts';
import { roundStarting } from '../support/rounds-now.ts';
import { shared, sharedArena } from '../support/shared.ts';

/*
 * Triggers do what foreign keys of predictions would: also where a row is removed in the moment in which it is predicted.
 */

const arena = sharedArena();
const predicting = sharedClient();
const removing = sharedClient();
let agentId: number;
let roundId: number;

function sharedClient(): Client {
  return shared(async (closing) => {
    const client = new Client(arena.connection);
    closing.defer(() => client.end());
    await client.connect();
    return client;
  });
}

beforeEach(async () => {
  await arena.query('delete from agents');
  await reconcile(arena, new Date('2026-01-01T12:00:00Z'));
  ({ id: roundId } = await roundStarting(arena, '2026-01-01T13:00:00Z'));
  await addAgents(arena, 1);
  ({ id: agentId } = await only<{ id: number }>(arena, 'select id from agents'));
});

function predict(): Promise<unknown> {
  return predicting.query(
    `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at) values ($1, $2, 'BTC', 60, now())`,
    [roundId, agentId],
  );
}

const predictions = async (): Promise<number> => (await arena.query('select from predictions')).length;

afterEach(async () => {
  await Promise.all([predicting.query('rollback'), removing.query('rollback')]);
});

/** Resolves when a statement of one client waits for the other. */
function untilItWaits(): Promise<unknown> {
  return until('a statement waits', async () => {
    const waiting = await arena.query(
      `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return waiting.length > 0;
  });
}

describe.each([
  { what: 'an agent', table: 'agents', id: () => agentId, constraint: 'predictions_agent_id_foreign' },
  { what: 'a round', table: 'rounds', id: () => roundId, constraint: 'predictions_round_id_foreign' },
])('$what', ({ table, id, constraint }) => {
  const remove = (): Promise<unknown> => removing.query(`delete from ${table} where id = $1`, [id()]);

  test('a row that is being predicted cannot be removed', async () => {
    await predicting.query('begin');
    await predict();
    const refused = expect(remove()).rejects.toMatchObject({ code: '23503', constraint });
    await untilItWaits();
    await predicting.query('commit');
    await refused;
    expect(await predictions()).toBe(1);
  });

  test('a row that is being removed cannot be predicted', async () => {
    await removing.query('begin');
    await remove();
    const refused = expect(predict()).rejects.toMatchObject({ code: '23503', constraint });
    await untilItWaits();
    await removing.query('commit');
    await refused;
    expect(await predictions()).toBe(0);
  });

  test('a row whose removal is rolled back can be predicted', async () => {
    await removing.query('begin');
    await remove();
    const predicted = predict();
    await untilItWaits();
    await removing.query('rollback');
    await predicted;
    expect(await predictions()).toBe(1);
  });

  test('a removed row cannot be predicted by a transaction that still sees it', async () => {
    await predicting.query('begin isolation level repeatable read');
    await predicting.query('select from agents, rounds');
    await remove();
    await expect(predict()).rejects.toMatchObject({ code: '40001' });
    await predicting.query('rollback');
    expect(await predictions()).toBe(0);
  });

  test('a predicted row cannot be removed by a transaction that does not see the prediction', async () => {
    await removing.query('begin isolation level repeatable read');
    await removing.query('select from predictions');
    await predict();
    await expect(remove()).rejects.toMatchObject({ code: '25000' });
    await removing.query('rollback');
    expect(await arena.query(`select from ${table} where id = $1`, [id()])).toHaveLength(1);
  });
});

/** Pages that a statement reads, with those of its triggers. */
async function pagesReadBy(statement: string): Promise<number> {
  const { rows } = await removing.query<{ 'QUERY PLAN': readonly { Plan: Readonly<Record<string, number>> }[] }>(
    `explain (analyze, buffers, format json) ${statement}`,
  );
  const { Plan: plan = {} } = rows[0]?.['QUERY PLAN'][0] ?? {};
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
}

test('the removal of an agent looks up its predictions without reading others’', async () => {
  const others = 100_000;
  await arena.query(`begin; set local session_replication_role = replica;
    insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
    select ${roundId} + n / 50, ${agentId + 5} + n % 50, 'BTC', 60, now() from generate_series(1, ${others}) n; commit; analyze predictions`);
  await addAgents(arena, 3);
  const pages: number[] = [];
  // The first one also reads what PostgreSQL knows of the tables, as does one after much DDL in other databases.
  for (const id of [3, 2, 1, 0]) pages.push(await pagesReadBy(`delete from agents where id = ${agentId + id}`));
  expect(Math.min(...pages)).toBeLessThan(100);
});
