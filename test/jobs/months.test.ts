import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { monthTurner } from '../../src/jobs/months.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { rebuildLedger } from '../../src/jobs/ledger/rebuild.ts';
import { StartError } from '../../src/rules/errors.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { amendRound } from './amended-round.ts';
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

const makeMonths = (): Promise<void> => monthTurner(arena)(NOW);

const playAt = (hour: number): Promise<{ readonly id: number }> =>
  insertDecided(
    arena,
    { hour, predictions: agents.map((agentId) => ({ agentId, confidence: 60 })) },
    { answer: 'YES' },
  );

const archive = (month: string) => arena.query('update months set archived_at = now() where month = $1', [month]);
const dropAt = (now: Date, keepMonths: number): Promise<void> => monthTurner({ ...arena, keepMonths })(now);
const standings = () => arena.query('select * from standings order by agent_id');
const streaks = () => arena.query('select current_streak as now, best_streak as best from standings');

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

test('an agent is looked up in an empty month by the key, which the cached plan keeps as it fills', async () => {
  const { id } = await playAt(10);
  await makeMonths();
  const round = id + FEBRUARY - 10;
  await arena.query('set enable_seqscan = off');
  const plan = await arena.query(`explain select from predictions where round_id = ${round} and agent_id = 1`);
  expect(JSON.stringify(plan)).toContain('predictions_2026_02_pkey');
});

test('ids that jump ahead, as after a restore, are in a month', async () => {
  await playAt(10);
  await nextId(1_000_000);
  await makeMonths();
  const { id } = await playAt(11);
  expect(id).toBe(1_000_000);
  expect(await rowsOf('scores')).toEqual([{ part: 'scores_2026_01', count: 6 }]);
});

test('ids that run ahead of the time have another month made early', async () => {
  const { id } = await playAt(10);
  await makeMonths();
  await nextId(id + MARCH - 100);
  await playAt(11);
  await makeMonths();
  const months = await arena.query<{ month: string }>('select month from months order by month');
  expect(months.map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03']);
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
  const make = monthTurner(arena);
  await arena.newEm().transactional(async (transaction) => {
    await transaction.execute('lock table predictions in access share mode');
    await make(NOW);
    await playAt(11);
  });
  expect(await partsOf('predictions')).toEqual(['predictions_first MINVALUE TO MAXVALUE']);
  expect(arena.log.lines).toEqual([]);
  await make(NOW);
  expect(await partsOf('predictions')).toContain(`predictions_2026_01 MINVALUE TO ${id + FEBRUARY - 10}`);
});

test('a table that others hold for an hour is named in the log', async () => {
  await playAt(10);
  const make = monthTurner(arena);
  await arena.newEm().transactional(async (transaction) => {
    await transaction.execute('lock table predictions in access share mode');
    await make(NOW);
    await make(new Date(NOW.getTime() + 3_600_000));
  });
  expect(arena.log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'Month tables are locked by another session; retrying later'],
  ]);
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

describe('old months', () => {
  const APRIL = MARCH + 31 * 24;
  const IN_APRIL = new Date('2026-04-01T00:30:00Z');

  /** A round in January, February and April, and a void one in March; returns their ids. */
  async function threeMonths(answers: readonly (string | null)[]): Promise<readonly number[]> {
    const ids: number[] = [];
    const [january = null, february = null, april = null] = answers;
    const rounds = [
      [10, january],
      [FEBRUARY, february],
      [MARCH, null],
      [APRIL, april],
    ] as const;
    for (const [hour, answer] of rounds) {
      if (hour > 10) await nextId(hour);
      const round = { hour, predictions: agents.map((agentId) => ({ agentId, confidence: 60 })) };
      ids.push((await insertDecided(arena, round, { answer })).id);
      await makeMonths();
    }
    await afterResolution(arena, IN_APRIL);
    return ids;
  }

  test('an archived month that need not stay is dropped; sums stay, and its rounds say so', async () => {
    const [january] = await threeMonths(['YES', 'YES', 'YES']);
    const before = await standings();
    await archive('2026-01');
    await dropAt(IN_APRIL, 2);
    expect(await standings()).toEqual(before);
    for (const table of ['predictions', 'scores', 'rationales'])
      expect((await partsOf(table))[0]).toMatch(`${table}_2026_02`);
    expect(await arena.query('select id from rounds where archived')).toEqual([{ id: january }]);
    expect(await arena.query(`select month from months where dropped_at = $1`, [IN_APRIL])).toEqual([
      { month: '2026-01' },
    ]);
    expect(arena.log.lines).toEqual([{ level: 'info', message: 'Month dropped', fields: { month: '2026-01' } }]);
  });

  test('two processes drop a month once', async () => {
    await threeMonths(['YES', 'YES', 'YES']);
    await archive('2026-01');
    await Promise.all([dropAt(IN_APRIL, 2), dropAt(IN_APRIL, 2)]);
    expect(await partsOf('scores')).toHaveLength(4);
    expect(arena.log.lines).toHaveLength(1);
  });

  test.each([
    ['a month that must stay', IN_APRIL, 3],
    ['a month that ends when the kept ones begin', new Date('2026-03-31T23:30:00Z'), 2],
  ])('%s is not dropped', async (_, now, keepMonths) => {
    await threeMonths(['YES', 'YES', 'YES']);
    await archive('2026-01');
    await dropAt(now, keepMonths);
    expect(await partsOf('scores')).toHaveLength(5);
  });

  test('a month without an archive is not dropped, nor a later one, and a process warns of it once', async () => {
    await threeMonths(['YES', 'YES', 'YES']);
    await archive('2026-02');
    const turn = monthTurner({ ...arena, keepMonths: 2 });
    await turn(IN_APRIL);
    await turn(new Date(IN_APRIL.getTime() + 3_600_000));
    expect(await partsOf('scores')).toHaveLength(5);
    expect(arena.log.lines.map(({ level, fields }) => [level, fields])).toEqual([['warn', { month: '2026-01' }]]);
  });

  test('a month with a round that sums still lack is not dropped', async () => {
    await threeMonths(['YES', 'YES', 'YES']);
    await archive('2026-01');
    await arena.query('update rounds set counted_at = null where id = 1');
    await dropAt(IN_APRIL, 2);
    expect(await partsOf('scores')).toHaveLength(5);
  });

  test('a month within the longest window of the boards is not dropped, however late it is', async () => {
    await playAt(10);
    await makeMonths();
    await afterResolution(arena, IN_APRIL);
    await archive('2026-01');
    await dropAt(new Date('2027-01-01T00:00:00Z'), 2);
    expect(await partsOf('scores')).toHaveLength(2);
  });

  test('a month without an archive cannot be dropped by hand', async () => {
    await threeMonths(['YES', 'YES', 'YES']);
    await expect(arena.query(`select drop_month('2026-01', now())`)).rejects.toThrow('query returned no rows');
  });

  test.each([
    ['right answers before and after', ['YES', 'YES', 'NO'], 'YES', { now: 3, best: 3 }],
    ['a miss after it', ['YES', 'YES', 'YES'], 'NO', { now: 0, best: 2 }],
    ['a void round after it', ['YES', 'YES', 'YES'], null, { now: 2, best: 2 }],
    ['a miss at its end', ['YES', 'NO', 'NO'], 'YES', { now: 1, best: 1 }],
  ])('an amendment after the drop counts streaks on: %s', async (_, answers, amended, streak) => {
    const [, , , april = 0] = await threeMonths(answers);
    for (const month of ['2026-01', '2026-02', '2026-03']) await archive(month);
    await dropAt(new Date('2026-06-01T00:30:00Z'), 2);
    expect(await arena.query('select id from rounds where archived')).toHaveLength(3);
    await amendRound(arena, april, amended);
    expect(await streaks()).toEqual(agents.map(() => streak));
  });

  test('a reader of the month delays the drop to the next call', async () => {
    await threeMonths(['YES', 'YES', 'YES']);
    await archive('2026-01');
    const turn = monthTurner({ ...arena, keepMonths: 2 });
    await arena.newEm().transactional(async (reader) => {
      await reader.execute('select from scores');
      await turn(IN_APRIL);
    });
    expect(await partsOf('scores')).toHaveLength(5);
    await turn(IN_APRIL);
    expect(await partsOf('scores')).toHaveLength(4);
  });

  test('sums are not rebuilt from what is left', async () => {
    await threeMonths(['YES', 'YES', 'YES']);
    await archive('2026-01');
    await dropAt(IN_APRIL, 2);
    await arena.query('update platform set sums_due = true');
    await expect(rebuildLedger(arena.newEm, () => {})).rejects.toThrow(StartError);
    expect(await standings()).toHaveLength(agents.length);
  });
});
