import { expect, test } from '@jest/globals';

import { until } from '../support/poll.ts';
import { launch, type RunningService } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';

const START = Date.parse('2024-03-01T00:50:00Z');
const HOURS_A_SECOND = 3600;

async function timeOf(service: RunningService): Promise<number> {
  return Date.parse((await service.get('/api/health')).body.timestamp);
}

test('service time starts at CLOCK_START, runs at CLOCK_SPEED, survives a restart and never goes back', async () => {
  await using database = await processDatabase();
  const began = performance.now();
  const passedAtMost = () => (performance.now() - began) * HOURS_A_SECOND;
  const settings = { ...database.settings, CLOCK_START: new Date(START).toISOString() };
  await using first = await launch({ ...settings, CLOCK_SPEED: String(HOURS_A_SECOND) });
  // A busy machine may let an hour pass within a request.
  const round = await until('a round', async () => (await first.get('/api/rounds/current')).body.round);
  expect(round.start_time).toMatch(/^2024-03-01 \d\d:00:00$/);
  const resolved = await until('two resolved rounds', async () => {
    const { rounds } = (await first.get('/api/rounds/recent')).body;
    const decided = rounds.filter(({ status }: { status: string }) => status === 'resolved');
    return decided.length >= 2 && decided;
  });
  const seen = await timeOf(first);
  expect(seen).toBeGreaterThan(Date.parse(`${resolved[0].end_time.replace(' ', 'T')}Z`));
  expect(seen - START).toBeLessThanOrEqual(passedAtMost());
  expect(await first.end()).toMatchObject({ code: 0, stderr: '' });

  await using second = await launch({ ...settings, CLOCK_START: '1999-01-01T00:00:00Z', CLOCK_SPEED: '1' });
  const startedAt = performance.now();
  const goneOn = await timeOf(second);
  expect(goneOn).toBeGreaterThan(seen);
  expect(goneOn - START).toBeLessThanOrEqual(passedAtMost());
  const current = (await second.get('/api/rounds/current')).body.round;
  expect(Date.parse(`${current.start_time.replace(' ', 'T')}Z`)).toBe(Math.floor(goneOn / 3_600_000) * 3_600_000);
  const passed = (await timeOf(second)) - goneOn;
  expect(passed).toBeGreaterThanOrEqual(0);
  expect(passed).toBeLessThan(performance.now() - startedAt + 1000);
  expect(await second.end()).toMatchObject({ code: 0 });
});
