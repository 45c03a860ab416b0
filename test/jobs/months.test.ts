import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { monthMaker } from '../../src/jobs/cycle/months.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { insertDecided } from './inserted-round.ts';

const NOW = new Date('2026-01-01T10:30:00Z');
/** The hour of 2026-02-01 00:00, counted from 2026-01-01. */
const FEBRUARY = 31 * 24;
const MARCH = FEBRUARY + 28 * 24;

let arena: Arena;
let agents: readonly number[];

beforeEach(async () => {
  arena = await openArena();
  agents = await addAgents(arena, 3);
});

afterEach(() => arena.close());

const makeMonths = (): Promise<void> => monthMaker(arena.newEm)(NOW);

const playAt = (hour: number): Promise<{ readonly id: number }> =>
  insertDecided(
    arena,
    { hour, predictions: agents.map((agentId) => ({ agentId, confidence: 60 })) },
    { answer: 'YES' },
  );

/** The next round gets this id. */
const nextId = (id: number) => arena.query(`select setval('rounds_id_seq', $1::int - 1)`, [id]);

/** The parts of a table with their bounds. */
async function partsOf(table: string): Promise<readonly string[]> {
  const found = await arena.query<{ part: string }>(
    `select relname || pg_get_expr(relpartbound, c.oid) as part from pg_class c join pg_inherits on inhrelid = c.oid
     where inhparent = $1::regclass order by 1`,
    [table],
  );
  return found.map(({ part }) => part.replace('FOR VALUES FROM', '').replaceAll(/['()]/g, ''));
}

/** The number of rows in each part of a table. */
const rowsOf = (table: string) =>
  arena.query(`select tableoid::regclass::text as part, count(*) from ${table} group by 1 order by 1`);

test('a database without rounds has one part', async () => {
  await makeMonths();
  expect(await partsOf('predictions')).toEqual(['predictions_first MINVALUE TO MAXVALUE']);
});

test('the first part ends with the month, and the next month has its own', async () => {
  const { id } = await playAt(10);
  await makeMonths();
  const [february, march] = [id + FEBRUARY - 10, id + MARCH - 10];
  for (const table of ['predictions', 'scores', 'rationales'])
    expect(await partsOf(table)).toEqual([
      `${table}_2026_01 MINVALUE TO ${february}`,
      `${table}_2026_02 ${february} TO ${march}`,
    ]);
  expect(await arena.query('select month, first_round, until_round from months order by month')).toEqual([
    { month: '2026-01', first_round: 0, until_round: february },
    { month: '2026-02', first_round: february, until_round: march },
  ]);
});

test('a month with less than a week to go is not cut', async () => {
  const { id } = await playAt(FEBRUARY - 100);
  await makeMonths();
  expect(await partsOf('scores')).toContain(`scores_2026_02 MINVALUE TO ${id + 100 + 28 * 24}`);
});

test('each month has the next one made ahead, also after months without a round', async () => {
  await playAt(10);
  await makeMonths();
  await nextId(FEBRUARY);
  await playAt(FEBRUARY);
  await makeMonths();
  expect(await partsOf('scores')).toHaveLength(3);
  await playAt(MARCH + 100 * 24);
  await makeMonths();
  const months = await arena.query<{ month: string }>('select month from months order by month');
  expect(months.map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03', '2026-06', '2026-07']);
});

test('rows stay what they were, and those of a later month go to its part', async () => {
  await playAt(10);
  const before = await arena.contents();
  await makeMonths();
  const months = /\{"table":"months","rows":\[[^\]]*\]\},/;
  expect((await arena.contents()).replace(months, '')).toBe(before.replace(months, ''));
  await nextId(FEBRUARY);
  await playAt(FEBRUARY);
  expect(await rowsOf('predictions')).toEqual([
    { part: 'predictions_2026_01', count: 3 },
    { part: 'predictions_2026_02', count: 3 },
  ]);
  expect(await rowsOf('scores')).toEqual([
    { part: 'scores_2026_01', count: 3 },
    { part: 'scores_2026_02', count: 3 },
  ]);
});

test('ids that jump ahead, as after a restore, are in a month', async () => {
  await playAt(10);
  await nextId(1_000_000);
  await makeMonths();
  const { id } = await playAt(11);
  expect(id).toBe(1_000_000);
  expect(await rowsOf('scores')).toEqual([{ part: 'scores_2026_01', count: 6 }]);
});

test('what a kill leaves half cut is cut by the next process', async () => {
  const { id } = await playAt(10);
  for (const _ of ['constraint', 'first check']) await arena.query('select make_months()');
  await makeMonths();
  expect(await partsOf('predictions')).toContain(`predictions_2026_01 MINVALUE TO ${id + FEBRUARY - 10}`);
});

test('two processes make each month once', async () => {
  await playAt(10);
  await Promise.all([makeMonths(), makeMonths(), makeMonths()]);
  expect(await partsOf('rationales')).toHaveLength(2);
});

test('a table that others hold is left for the next call, and takes predictions meanwhile', async () => {
  const { id } = await playAt(10);
  const make = monthMaker(arena.newEm);
  await arena.newEm().transactional(async (transaction) => {
    await transaction.execute('lock table predictions in access share mode');
    await make(NOW);
    await playAt(11);
  });
  expect(await partsOf('predictions')).toEqual(['predictions_first MINVALUE TO MAXVALUE']);
  await make(NOW);
  expect(await partsOf('predictions')).toContain(`predictions_2026_01 MINVALUE TO ${id + FEBRUARY - 10}`);
});

test('a role that may not make tables makes months', async () => {
  await playAt(10);
  const role = `maker_${arena.connection.database.slice(-8)}`;
  await arena.query(`create role ${role}`);
  try {
    await arena.query(`begin; set local role ${role}; select make_months(); commit`);
    expect(await arena.query('select from months')).toHaveLength(1);
  } finally {
    await arena.query(`drop role ${role}`);
  }
});

test.each([
  ['an update of a month', 'update predictions_2026_01 set confidence = 1', 'predictions_kept'],
  ['a removal from a month', 'delete from scores_2026_02', 'scores_kept'],
  ['an empty month', 'truncate predictions_2026_02', 'predictions_kept'],
  [
    'a second prediction of an agent in a round',
    `insert into predictions select round_id, agent_id, nextval('predictions_id_seq'), prediction, confidence, submitted_at
     from predictions`,
    'predictions_first_pkey',
  ],
  [
    'a rationale without a prediction',
    `insert into rationales (round_id, agent_id, rationale) select min(round_id), 99, 'why' from predictions`,
    'rationales_prediction_foreign',
  ],
])('%s is refused', async (_, statement, constraint) => {
  await playAt(10);
  await makeMonths();
  await expect(arena.query(statement)).rejects.toMatchObject({ constraint });
});
