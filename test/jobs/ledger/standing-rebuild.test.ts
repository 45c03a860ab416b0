import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { PERIODS } from '../../../src/rules/windows.ts';
import { only } from '../../support/arena.ts';
import { until } from '../../support/poll.ts';
import { insertDecided } from '../inserted-round.ts';
import { standingsNow } from '../../oracle/replay.ts';
import { BOARD_FACTS, factDifferences } from '../../oracle/stored-facts.ts';
import { sharedArena } from '../../support/shared.ts';

const ALL = Array.from({ length: 400 }, (_, place) => place + 1);
const arena = sharedArena(ALL.length);

const AGENTS = ALL.slice(0, 3);

/** All standings are to be written anew unless `rebuildFrom` says otherwise. */
async function playRound(hour: number, rebuildFrom = 0): Promise<void> {
  const predictions = AGENTS.map((agentId) => ({ agentId, confidence: 10 * agentId }));
  await insertDecided(arena, { hour, predictions }, { answer: 'YES', rebuildFrom });
}

function tableNow(): Promise<unknown> {
  return only(arena, `select relfilenode, relacl::text from pg_class where oid = 'standings'::regclass`);
}

async function expectAllToFit(rounds: number): Promise<void> {
  const standings = await standingsNow(arena.query);
  expect(standings.map((one) => one['alltime_competitions'])).toEqual(AGENTS.map(() => rounds));
  expect(await factDifferences(arena.query, BOARD_FACTS)).toEqual([]);
}

test('a new standings table replaces the old with its grants, settings, constraints and indexes', async () => {
  const schema = `
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = 'standings'::regclass
    union all select indexname, indexdef from pg_indexes where tablename = 'standings' order by 1, 2`;
  await arena.query('grant select, update on standings to public');
  await arena.query('alter table standings set (autovacuum_vacuum_scale_factor = 0.01)');
  const [before, rights] = [
    await arena.query(schema),
    await only(arena, `select relacl::text from pg_class where relname = 'standings'`),
  ];
  const table = await tableNow();
  await playRound(0);
  expect(await tableNow()).not.toEqual(table);
  expect(await arena.query(schema)).toEqual(before);
  expect(await only(arena, `select relacl::text from pg_class where relname = 'standings'`)).toEqual(rights);
  expect(await only(arena, `select reloptions from pg_class where relname = 'standings'`)).toEqual({
    reloptions: ['fillfactor=80', 'autovacuum_vacuum_scale_factor=0.01'],
  });
  await arena.query('revoke all on standings from public');
  await expectAllToFit(1);
});

test('readers of standings wait for the totals alone', async () => {
  await playRound(0);
  const tables = ['board_counts', 'board_places', 'field_tallies', 'rounds', 'platform'];
  await arena.query(`
    create table written_locked (name text);
    create function note_lock() returns trigger language plpgsql as $$ begin
      insert into written_locked select tg_table_name from pg_locks
      where pid = pg_backend_pid() and relation = 'standings'::regclass and mode = 'AccessExclusiveLock';
      return null; end $$`);
  for (const table of tables)
    await arena.query(
      `create trigger note_lock after insert or update or delete on ${table} execute function note_lock()`,
    );
  const table = await tableNow();
  await playRound(1);
  for (const name of tables) await arena.query(`drop trigger note_lock on ${name}`);
  expect(await tableNow()).not.toEqual(table);
  expect(await arena.query('select distinct name from written_locked')).toEqual([{ name: 'platform' }]);
  await arena.query('drop function note_lock; drop table written_locked');
  await expectAllToFit(2);
});

test('standings are updated in place during a long read', async () => {
  await playRound(0);
  const table = await tableNow();
  const reader = new Client(arena.connection);
  await reader.connect();
  await reader.query('begin; select * from standings');
  await playRound(1);
  expect(await tableNow()).toEqual(table);
  await reader.query('commit');
  await reader.end();
  await expectAllToFit(2);
});

test('standings are updated in place while a foreign view depends on the table', async () => {
  await playRound(0);
  await arena.query('create view others as select agent_id, alltime_points from standings');
  const table = await tableNow();
  await playRound(1);
  expect(await tableNow()).toEqual(table);
  expect(await arena.query('select from others')).toHaveLength(AGENTS.length);
  await arena.query('drop view others');
  await playRound(2);
  expect(await tableNow()).not.toEqual(table);
  await expectAllToFit(3);
});

test('a rebuild waits for a vacuum of the standings without blocking readers', async () => {
  await playRound(0);
  const table = await tableNow();
  const vacuum = new Client(arena.connection);
  await vacuum.connect();
  await vacuum.query('begin; lock table standings in share update exclusive mode');
  const played = playRound(1);
  await until('the rebuild waits for the lock', async () => {
    const { rows } = await vacuum.query(`select from pg_locks where relation = 'standings'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database())`);
    return rows.length > 0;
  });
  const reader = new Client({ ...arena.connection, options: '-c lock_timeout=100' });
  await reader.connect();
  expect((await reader.query('select agent_id from standings')).rows).toHaveLength(AGENTS.length);
  await reader.end();
  await vacuum.query('commit');
  await vacuum.end();
  await played;
  expect(await tableNow()).not.toEqual(table);
  await expectAllToFit(2);
});

test('agents who leave a full board are replaced from all agents', async () => {
  const play = (hour: number, agents: readonly number[], answer: string) => {
    const predictions = agents.map((agentId) => ({ agentId, confidence: 90 }));
    return insertDecided(arena, { hour, predictions }, { answer, rebuildFrom: Infinity });
  };
  await play(0, ALL, 'YES');
  await play(1, ALL.slice(0, 290), 'NO');
  expect(await factDifferences(arena.query, BOARD_FACTS)).toEqual([]);
  expect(await arena.query('select from board_places where position <= 100 and rank = 1')).toHaveLength(400);
});

test('a board stores the first 300 agents of each window, also within equal points', async () => {
  for (const hour of [0, 25]) {
    const predictions = ALL.slice(0, 400 - hour).map((agentId) => ({
      agentId,
      prediction: agentId % 3 === 0 ? 'NO' : 'YES',
      confidence: (agentId * (hour + 7)) % 101,
    }));
    await insertDecided(arena, { hour, predictions }, { answer: 'YES', rebuildFrom: 0 });
  }
  expect(await factDifferences(arena.query, BOARD_FACTS)).toEqual([]);
  for (const period of PERIODS) {
    const stored = await arena.query('select agent_id, rank from board_places where period = $1 order by position', [
      period,
    ]);
    const [points, wins] = [`${period}_points`, `${period}_wins`];
    const first = await arena.query(
      `select agent_id, rank() over (order by ${points} desc)::int from standings where ${period}_competitions > 0
       order by ${points} desc, ${wins} desc, agent_id limit 300`,
    );
    expect(stored).toHaveLength(300);
    expect(stored).toEqual(first);
  }
});
