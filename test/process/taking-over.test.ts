import { expect, test } from '@jest/globals';

import { preparedDataFolder } from '../support/data-folder.ts';
import { endOf, hasEnded, launch } from '../support/process.ts';

test('a start after kill -9 adopts the running PostgreSQL and continues the same round', async () => {
  await using folder = await preparedDataFolder();
  const settings = { DATA_DIR: folder.path, CLOCK_START: '2026-01-01T12:10:00Z' };
  await using killed = await launch(settings);
  const { api_key: key } = (await killed.post('/api/agents/register', { name: 'Survivor' })).body;
  const { round } = (await killed.get('/api/rounds/current')).body;
  const postmaster = await folder.postmaster();
  await killed.end('SIGKILL');

  await using next = await launch(settings);
  expect(await folder.postmaster()).toBe(postmaster);
  expect((await next.get('/api/rounds/current')).body.round).toMatchObject({ id: round.id, question: round.question });
  expect((await next.get('/api/me', key)).status).toBe(200);
  expect(await next.end()).toMatchObject({ code: 0, stderr: '' });
  expect(await hasEnded(postmaster)).toBe(true);
});

test('a second service on the same folder is refused with a sentence, and the first continues', async () => {
  await using folder = await preparedDataFolder();
  await using first = await launch({ DATA_DIR: folder.path });
  const { code, stdout, stderr } = await endOf({ DATA_DIR: folder.path });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Another service \(process \d+\) runs on the data folder .*DATA_DIR.*\n$/);
  expect(stderr).toContain(`process ${first.child.pid}`);
  expect((await first.get('/api/rounds/current')).status).toBe(200);
  expect(await first.end()).toMatchObject({ code: 0, stderr: '' });
});
