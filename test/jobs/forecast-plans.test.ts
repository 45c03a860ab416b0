import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RawBuilder, sql } from 'kysely';

import { openOrm, type Orm } from '../../src/database/orm.ts';
import { FILLED } from '../../src/entities/migrations/2026-11-27-forecast-sums.ts';
import { CHECKPOINTS } from '../../src/rules/forecast/forecast.ts';
import { EXPERTS } from '../../src/rules/forecast/mixture.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { insertHistory } from '../support/many-rows.ts';
import { explainStatements, type PlanPart, rowsLookedAt } from './explained-statements.ts';
import { insertDecided } from './inserted-round.ts';

/** A year of rounds, each with a scored forecast at every checkpoint. */
const ROUNDS = 365 * 24;
/** A round's forecasts, some of each kind. */
const MOST = 5 * CHECKPOINTS.length;

let arena: Arena;
let orm: Orm;

beforeAll(async () => {
  arena = await openArena();
  await insertHistory(arena.newEm(), { agents: 0, rounds: ROUNDS });
  await addAgents(arena, 3);
  await insertForecasts(sql`r.status = 'resolved'`);
  await arena.query(`insert into forecast_scores (round_id, minute, decided_at, brier, expert_briers, totals)
    select f.round_id, f.minute, r.decided_at, 0.5, ${some(EXPERTS.length)}, ${some(EXPERTS.length)}
    from round_forecasts f join rounds r on r.id = f.round_id`);
  await arena.query(FILLED);
  await arena.query('analyze');
  await explainStatements(arena);
  orm = await openOrm(arena.connection, 2);
});

afterAll(async () => {
  await orm.close(true);
  await arena.close();
});

const newEm = () => orm.em.fork();

const some = (count: number): string => `array_fill(0.5::float8, array[${count}])`;

/** A forecast at every checkpoint of each of these rounds `r`. */
async function insertForecasts(rounds: RawBuilder<unknown>): Promise<void> {
  await arena.newEm().transactional(async (transaction) => {
    const database = transaction.getKysely();
    // Otherwise they are recorded only while their rounds run.
    await sql`set local session_replication_role = replica`.execute(database);
    await sql`insert into round_forecasts (round_id, minute, recorded_at, entries, decided_until, unpriced, probabilities, said, weights)
      select r.id, minute, r.start_time, 3, r.start_time, '{}', ${sql.raw(some(2))}, ${sql.raw(some(2 * EXPERTS.length))},
        ${sql.raw(some(EXPERTS.length))}
      from rounds r, unnest(${[...CHECKPOINTS]}::int[]) minute where ${rounds}`.execute(database);
  });
}

const beforeDecided = (id: number) => insertForecasts(sql`r.id = ${id}`);

async function decide(hour: number): Promise<void> {
  const predictions = [1, 2, 3].map((agentId) => ({ agentId, confidence: 60 }));
  await insertDecided({ ...arena, newEm }, { hour, predictions }, { answer: 'YES', beforeDecided });
}

/** Parts of plans that have looked at more rows than a round has. */
async function long(work: () => Promise<void>): Promise<readonly PlanPart[]> {
  const parts = await rowsLookedAt(work);
  expect(parts.map(({ table }) => table)).toContain('forecast_scores');
  return parts.filter(({ rows }) => rows > MOST);
}

test('a resolution reads no forecasts and scores of earlier rounds', async () => {
  const parts = await long(() => decide(0));
  const ofForecasts = parts.filter(({ table }) => table === 'forecast_scores' || table === 'round_forecasts');
  expect(ofForecasts).toEqual([]);
  const [{ n } = { n: 0 }] = await arena.query<{ n: number }>('select count(*)::int as n from forecast_scores');
  expect(n).toBe((ROUNDS + 1) * CHECKPOINTS.length);
});
