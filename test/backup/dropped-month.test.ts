import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { Client } from 'pg';

import { backUp } from '../../src/backup/backup.ts';
import { restore } from '../../src/backup/restore.ts';
import { monthTurner } from '../../src/jobs/months.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { amendRound } from '../jobs/amended-round.ts';
import { insertDecided } from '../jobs/inserted-round.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { createTestDatabase } from '../support/database.ts';
import { scopedFolder } from '../support/own-folder.ts';

const OPTIONS = { version: '9.9.9', now: new Date('2026-04-02T00:00:00Z'), progress: () => {} };
const SILENT = { checking: () => {}, loading: () => {} };
/** The hour of 2026-04-01 00:00, counted from 2026-01-01. */
const APRIL = 90 * 24;
const IN_APRIL = new Date('2026-04-01T05:30:00Z');

let closing: AsyncDisposableStack;
let arena: Arena;
let parent: string;

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  parent = closing.use(await scopedFolder()).path;
  arena = await openArena();
  closing.defer(() => arena.close());
});

afterEach(() => closing.disposeAsync());

/** A round that all agents answer, one of them by a standing answer. */
async function decide(agents: readonly number[], hour: number, answer: string | null): Promise<number> {
  const predictions = agents.map((agentId, place) => ({
    agentId,
    confidence: 60,
    ...(place === 0 ? { setMs: -1000 } : {}),
  }));
  return (await insertDecided(arena, { hour, predictions }, { answer })).id;
}

/** Rounds of each state, as decided and as amended. */
async function playFrom(agents: readonly number[], hour: number): Promise<void> {
  await decide(agents, hour, 'YES');
  await decide(agents, hour + 1, null);
  await amendRound(arena, await decide(agents, hour + 2, 'YES'), null);
  await amendRound(arena, await decide(agents, hour + 3, null), 'NO');
  await amendRound(arena, await decide(agents, hour + 4, 'YES'), 'NO');
}

/** January is dropped, with three resolved rounds and two void ones. */
async function dropJanuary(): Promise<void> {
  const agents = await addAgents(arena, 3);
  await playFrom(agents, 10);
  await monthTurner(arena)(new Date('2026-01-01T16:00:00Z'));
  await arena.query(`select setval('rounds_id_seq', (select until_round from months order by month limit 1))`);
  await playFrom(agents, APRIL);
  await afterResolution(arena, IN_APRIL);
  await arena.query(`update months set archived_at = now() where month = '2026-01'`);
  await monthTurner({ ...arena, keepMonths: 2 })(IN_APRIL);
  expect(await arena.query('select status from rounds where archived order by id')).toEqual(
    ['resolved', 'void', 'void', 'resolved', 'resolved'].map((status) => ({ status })),
  );
}

const STATE = `
  select (select count(*)::int from scores) as scores, (select sum(alltime_competitions)::int from standings) as counted,
    (select count(*)::int from rounds where archived) as archived`;

test('a database with a dropped month is backed up and restored', async () => {
  await dropJanuary();
  const folder = join(parent, 'backup');
  await backUp(arena.connection, folder, OPTIONS);
  const { connection, drop } = await createTestDatabase();
  closing.defer(drop);
  await restore(connection, folder, SILENT);
  const client = new Client(connection);
  await client.connect();
  closing.defer(() => client.end());
  expect((await client.query(STATE)).rows).toEqual([{ scores: 12, counted: 18, archived: 5 }]);
});

test('standings that differ are refused after a dropped month too', async () => {
  await dropJanuary();
  await arena.query('update standings set alltime_competitions = alltime_competitions + 1 where agent_id = 1');
  await expect(backUp(arena.connection, join(parent, 'backup'), OPTIONS)).rejects.toThrow(
    'its standings count 10 scores where it has 9',
  );
});
