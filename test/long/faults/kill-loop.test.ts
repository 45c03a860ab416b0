import { expect, test } from '@jest/globals';

import { killLoop } from '../../faults/kill-loop.ts';
import { MOMENTS } from '../../faults/kill-moments.ts';

const KILLS = 30;

test(`${KILLS} kills at random moments lose, duplicate and delay nothing`, async () => {
  const report = await killLoop({ seed: 50, kills: KILLS });
  process.stdout.write(`The kill loop: ${JSON.stringify(report)}\n`);
  expect(report.differences).toEqual([]);
  for (const moment of MOMENTS) expect(report.kills[moment]).toBeGreaterThanOrEqual(KILLS / MOMENTS.length - 1);
  expect(report.judged).toBeGreaterThan(KILLS / 3);
  expect(report.accepted).toBeGreaterThan(KILLS);
});
