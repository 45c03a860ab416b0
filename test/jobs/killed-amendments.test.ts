import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';

import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { addAgents } from '../support/arena.ts';
import { until } from '../support/poll.ts';
import { sharedArena } from '../support/shared.ts';
import { endOf, insertDecided, someReferences } from './inserted-round.ts';

const PROCESS = join(import.meta.dirname, 'amend-process.ts');
const AGENTS = 4;
const ROUNDS = 8;

const arena = sharedArena();

beforeEach(async () => {
  const [{ n } = { n: 0 }] = await arena.query<{ n: number }>('select count(*)::int as n from agents');
  if (n === 0) await addAgents(arena, AGENTS);
  const choices = ['YES', 'NO'];
  for (let hour = 0; hour < ROUNDS; hour += 1) {
    const predictions = Array.from({ length: AGENTS }, (_, place) => ({
      agentId: place + 1,
      prediction: place < hour % 4 ? 'NO' : 'YES',
      confidence: 60 + place,
    }));
    await insertDecided(
      arena,
      { hour, choices, predictions, assets: ['BTC'] },
      { answer: 'YES', references: someReferences(choices) },
    );
  }
  await afterResolution(arena, endOf(ROUNDS));
});

function amending(id: number, outcome: string | null) {
  const argument = JSON.stringify({ connection: arena.connection, id, outcome });
  return spawn(process.execPath, [PROCESS, argument], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** What an amendment writes to, in this order. */
const MOMENTS = [
  'lead_tallies',
  'amendments',
  'score_corrections',
  'corrected_scores',
  'rounds',
  'platform',
  'standings',
  'board_places',
  'field_tallies',
  'daily_tallies',
  'events',
];

test.each(MOMENTS)('an amendment killed before it writes to %s has no effect, and can be repeated', async (table) => {
  const before = await arena.contents();
  const blocker = new Client(arena.connection);
  await blocker.connect();
  await blocker.query(`begin; lock table ${table} in share mode`);
  const child = amending(3, 'NO');
  const ended = once(child, 'exit');
  const waits = `select from pg_locks where relation = '${table}'::regclass and not granted`;
  await until(`it waits for ${table}`, async () => (await arena.query(waits)).length > 0);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  await blocker.end();
  const others = `select from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
  await until('its session has ended', async () => (await arena.query(others)).length === 0);
  expect(await arena.contents()).toBe(before);
  expect(await once(amending(3, 'NO'), 'exit')).toEqual([0, null]);
  expect(await arena.query('select outcome from rounds where id = 3')).toEqual([{ outcome: 'NO' }]);
  expect(await arena.query('select round_id from amendments')).toEqual([{ round_id: 3 }]);
});
