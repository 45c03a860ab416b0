import { expect, test } from '@jest/globals';
import type { Insertable } from 'kysely';

import { openOrm } from '../../src/database/orm.ts';
import type { DB } from '../../src/entities/tables.ts';
import { GROUP_SUMS, SUMS } from '../../src/rules/sums.ts';
import { shared } from '../support/shared.ts';
import { openRows } from './rows.ts';

const database = shared(async (closing) => {
  const { connection } = await openRows(closing);
  const orm = await openOrm(connection, 1);
  closing.defer(() => orm.close(true));
  return { tables: () => orm.em.fork().getKysely<DB>() };
});

type Same<One, Other> = [One, Other] extends [Other, One] ? 'same' : 'different';

interface Expected {
  status: 'upcoming' | 'active' | 'resolving' | 'resolved' | 'void';
  start_time: Date;
  outcome: string | null;
  submitted_at: Date | null;
  said: number | null;
  weekly_pnl_usd: string | null;
  monthly_edge_sum: number | string | null;
}

test('rows have unions, dates and decimals as the driver returns them, and null from left joins', async () => {
  const row = await database
    .tables()
    .selectFrom('rounds as r')
    .leftJoin('predictions as p', (join) => join.onRef('p.round_id', '=', 'r.id').on('p.agent_id', '=', 2))
    .leftJoin('rationales as w', (join) => join.onRef('w.round_id', '=', 'r.id').onRef('w.agent_id', '=', 'p.agent_id'))
    .leftJoin('standings as s', 's.agent_id', 'r.id')
    .select(['r.status', 'r.start_time', 'r.outcome', 'p.submitted_at', 'w.round_id as said'])
    .select(['s.weekly_pnl_usd', 's.monthly_edge_sum'])
    .executeTakeFirstOrThrow();
  const same: Same<{ [Name in keyof typeof row]: (typeof row)[Name] }, Expected> = 'same';
  const found = { status: 'active', start_time: new Date('2026-01-01T12:00:00Z'), outcome: null, submitted_at: null };
  expect({ same, ...row }).toEqual({ same, ...found, said: null, weekly_pnl_usd: '3.00', monthly_edge_sum: 0 });
});

test('every sum has its columns', async () => {
  const sums = Object.values(SUMS).map(({ column }) => column);
  const windows = sums.map((column) => `alltime_${column}` as const);
  const groups = Object.values(GROUP_SUMS).map(({ column }) => column);
  const tables = database.tables();
  expect(await tables.selectFrom('standings').select(windows).execute()).toHaveLength(1);
  expect(await tables.selectFrom('kind_sums').select(sums).execute()).toEqual([]);
  for (const table of ['model_sums', 'daily_tallies'] as const)
    expect(await tables.selectFrom(table).select(groups).execute()).toEqual([]);
});

test('the compiler refuses unknown columns', () => {
  const tables = database.tables();
  // @ts-expect-error No such column.
  void tables.selectFrom('scores').select('rank');
  // @ts-expect-error No such window.
  void tables.selectFrom('standings').select('yearly_points');
  // @ts-expect-error The key of another table is a number.
  void tables.selectFrom('predictions').selectAll().where('round_id', '=', 'BTC');
  // @ts-expect-error No such status.
  void tables.selectFrom('rounds').selectAll().where('status', '=', 'open');
  // @ts-expect-error Its agent is missing.
  const place: Insertable<DB['board_places']> = { period: 'weekly', position: 1, rank: 1 };
  expect(place).toBeDefined();
});
