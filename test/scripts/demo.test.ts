import { once } from 'node:events';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { arenaAt } from '../../scripts/house-agents/arena.ts';
import { watchHour } from '../../scripts/house-agents/hour-watch.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { dataFolder } from '../support/data-folder.ts';
import { begin, databaseUrl, launch } from '../support/process.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';

const HOURCAST = [process.execPath, join(import.meta.dirname, '../../bin/hourcast.js')];
const DEMO = [...HOURCAST, 'demo'];

test('the house agents get the prices of every asset and the hour’s question', async () => {
  const service = await startService();
  const { client } = arenaAt(service.url, new AbortController().signal);
  const { round } = await client.currentRound();
  if (round === null) throw new Error('There must be a round');
  const market = await client.market();
  const { before, question } = watchHour(round, market).glance([]);
  await service.stop();
  expect(Object.keys(before).toSorted()).toEqual(ASSETS.toSorted());
  expect(Number(before.SOL?.close)).toBe(market.assets['SOL']?.price_usd);
  expect(question.questionType).toBe(round.question_type);
});

test.each(['SIGINT', 'SIGTERM'] as const)('the demo plays, and ends cleanly at %s', async (signal) => {
  const database = await createTestDatabase();
  await using folder = await dataFolder();
  const settings = { DATABASE_URL: databaseUrl(database.connection), DATA_DIR: folder.path, CLOCK_SPEED: '120' };
  await using demo = await launch(settings, DEMO);
  let written = '';
  while (!/^Round \d+: /m.test(written)) {
    const [chunk] = await once(demo.child.stdout ?? demo.child, 'data');
    written += String(chunk);
  }
  // In the middle of what the agents ask and answer.
  const { code, stdout, stderr } = await demo.end(signal);
  await database.drop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toMatch(/error|failed|abort/i);
  expect(stdout).toMatch(/^Stopping\n(.*\n)*Stopped\n$/m);
});

test('a closed reader, such as head, ends the sandbox with all its processes', async () => {
  const database = await createTestDatabase();
  await using folder = await dataFolder();
  const settings = { DATABASE_URL: databaseUrl(database.connection), DATA_DIR: folder.path, CLOCK_SPEED: '720' };
  const sandbox = [...HOURCAST, 'sandbox'].join(' ');
  // It ends when nobody holds its outputs any more.
  const { stdout, stderr } = await begin(settings, ['bash', '-c', `${sandbox} | head -n 20`]).ended;
  await database.drop();
  expect(stdout).toContain('An hour lasts 5 seconds, prices are simulated');
  expect(stderr).toBe('');
});
