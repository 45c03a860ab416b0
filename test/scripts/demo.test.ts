import { once } from 'node:events';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { changesOf } from '../../scripts/demo/play.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { databaseUrl, launch } from '../support/process.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';

const DEMO = [process.execPath, join(import.meta.dirname, '../../scripts/demo.ts')];

test('the house agents know how every asset has changed', async () => {
  const service = await startService();
  const { body } = await service.request('GET', '/api/data/market');
  const changes = changesOf(body);
  await service.stop();
  expect(Object.keys(changes).toSorted()).toEqual(ASSETS.toSorted());
  expect(changes['SOL']).toBe(body.assets.SOL.change_1h);
});

test.each(['SIGINT', 'SIGTERM'] as const)('the demo plays, and ends without a complaint at %s', async (signal) => {
  const database = await createTestDatabase();
  await using demo = await launch({ DATABASE_URL: databaseUrl(database.connection), CLOCK_SPEED: '120' }, DEMO);
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
});
