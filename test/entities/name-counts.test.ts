import { expect, test } from '@jest/globals';

import { countNow } from '../../src/reads/stats.ts';
import { DAY, HOUR } from '../../src/rules/hours.ts';
import { ARENA_MADE_AT } from '../support/arena.ts';
import { seeded } from '../support/seeded.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena();

/** `isReleased` of src/reads/agents.ts, the other way round. */
const HOLDING = `select count(*)::int as n from agents
  where name_key is not null and (mode <> 'spectate' or reserved_until > $1)`;

const at = (hours: number): Date => new Date(ARENA_MADE_AT.getTime() + hours * HOUR);

test('the count of agents with names equals that of the table, whatever is written when', async () => {
  const random = seeded(7);
  const statements = [
    () => `insert into agents (name, name_key, mode, key_hash, registered_at, reserved_until)
      select name, name, case when spectates then 'spectate' else 'compete' end, md5(name) || md5(name), now(),
        case when spectates then '${at(random.between(-40, 100)).toISOString()}'::timestamptz + n * interval '7 hours' end
      from generate_series(1, ${random.between(0, 4)}) n,
        lateral (select 'agent-${random.between(0, 2 ** 30)}-' || n as name, ${random.between(0, 9)} % n <> 0 as spectates) a`,
    () => `update agents set name_key = null where id % 7 = ${random.between(0, 6)} and mode = 'spectate'`,
    () => `update agents set mode = 'compete', reserved_until = null where id % 5 = ${random.between(0, 4)}`,
    () => `update agents set key_hash = md5(key_hash) || md5(key_hash) where id % 3 = ${random.between(0, 2)}`,
    () => `delete from agents where id % 11 = ${random.between(0, 10)}`,
  ];
  const totals = new Set<number>();
  for (let n = 0; n < 60; n += 1) {
    await arena.query(random.pick(statements)());
    const now = at(random.between(-48, 120));
    const [counted] = await arena.query<{ n: number }>(HOLDING, [now]);
    const { agents } = await countNow(arena.newEm(), { now, picks: 'open' });
    expect(agents).toBe(counted?.n);
    totals.add(agents);
  }
  expect(totals.size).toBeGreaterThan(10);
});

test('a reservation ends at its instant, also within a day', async () => {
  const ends = new Date(Math.ceil(at(0).getTime() / DAY) * DAY + HOUR);
  const count = async (now: Date): Promise<number> => (await countNow(arena.newEm(), { now, picks: 'open' })).agents;
  const instants = [-HOUR - 1, -1, 0, 1, DAY].map((ms) => new Date(ends.getTime() + ms));
  const before = await Promise.all(instants.map(count));
  await arena.query(`insert into agents (name, name_key, mode, key_hash, registered_at, reserved_until)
    values ('until-then', 'until-then', 'spectate', repeat('e', 64), now(), '${ends.toISOString()}')`);
  const after = await Promise.all(instants.map(count));
  expect(after.map((one, place) => one - (before[place] ?? 0))).toEqual([1, 1, 0, 0, 0]);
});

test('a temporary table cannot redirect the trigger, which has its owner’s rights', async () => {
  const count = async (): Promise<number> => (await countNow(arena.newEm(), { now: at(0), picks: 'open' })).agents;
  const before = await count();
  await arena.query('create temporary table name_counts (last_day int primary key, agents int)');
  await arena.query(`insert into agents (name, name_key, mode, key_hash, registered_at)
    values ('shadow', 'shadow', 'compete', repeat('f', 64), now())`);
  expect(await arena.query('select * from pg_temp.name_counts')).toEqual([]);
  expect((await count()) - before).toBe(1);
});
