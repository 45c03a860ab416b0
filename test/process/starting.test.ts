import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';

import { dataFolder } from '../support/data-folder.ts';
import { hasEnded, launch } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';

const WARNING = /^Prices are simulated, not real/;

test('the first start prints its address and a warning of simulated prices; the second keeps all', async () => {
  await using folder = await dataFolder();
  await using first = await launch({ DATA_DIR: folder.path });
  expect(first.announcement).toMatch(/^Hourcast listens on http:\/\/127\.0\.0\.1:\d+, with prices from: simulated$/);
  const health = await first.get('/api/health');
  expect(health).toMatchObject({ status: 200, body: { status: 'ok', market_source: 'simulated' } });
  expect(health.body.warning).toMatch(WARNING);
  expect((await first.get('/api/data/market')).body.warning).toMatch(WARNING);
  const { api_key: key, agent } = (await first.post('/api/agents/register', { name: 'Keeper' })).body;
  const { round } = (await first.get('/api/rounds/current')).body;
  const postmaster = await folder.postmaster();

  const { code, stdout, stderr } = await first.end('SIGTERM');
  expect([code, stderr]).toEqual([0, '']);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    expect.objectContaining({ level: 'info', msg: first.announcement }),
    expect.objectContaining({ level: 'warn', msg: expect.stringMatching(WARNING) }),
  ]);
  expect(stdout).not.toContain(key);
  expect(await hasEnded(postmaster)).toBe(true);

  await using second = await launch({ DATA_DIR: folder.path });
  expect((await second.get('/api/me', key)).body.agent).toMatchObject({ id: agent.id, name: 'Keeper' });
  const again = (await second.post('/graphql', { query: `{ round(id: ${round.id}) { question } }` })).body;
  expect(again.data.round).toEqual({ question: round.question });
  expect(await second.end('SIGINT')).toMatchObject({ code: 0, stderr: '' });
});

test('a start with DATABASE_URL uses that PostgreSQL and starts none', async () => {
  await using folder = await dataFolder();
  await using database = await processDatabase();
  await using service = await launch({ ...database.settings, DATA_DIR: folder.path });
  await service.post('/api/agents/register', { name: 'Guest' });
  expect(existsSync(folder.path)).toBe(false);
  expect(await service.end()).toMatchObject({ code: 0, stderr: '' });
  expect((await database.client.query('select name from agents')).rows).toEqual([{ name: 'Guest' }]);
});
