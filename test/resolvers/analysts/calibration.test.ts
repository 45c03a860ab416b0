import { expect, test } from '@jest/globals';

import { startService } from '../../support/service.ts';
import { type Player, registerMany } from '../../support/agents.ts';
import { playBets } from '../../support/outcomes.ts';
import { hourAsking } from '../../support/rounds.ts';
import { dataOf } from '../../support/asking.ts';
import { openField } from '../../support/played-field.ts';

const FIGURES = `n brier referenceBrier skill logLoss expectedCalibrationError
  bins { from to n meanConfidence hitRate hitRateInterval { low high } }`;

test('calibration of two rounds equals hand-computed figures', async () => {
  const service = await startService();
  const [bold, timid] = await twoPlayers(() => registerMany(service, 'player', 2));
  await hourAsking(service, ({ choices }) => choices.length === 2);
  await playBets(service, [
    { player: bold, right: true, confidence: 80 },
    { player: timid, right: true, confidence: 0 },
  ]);
  await service.nextHour();
  await hourAsking(service, ({ choices }) => choices.length === 8);
  await playBets(service, [
    { player: bold, right: false, confidence: 85 },
    { player: timid, right: false, confidence: 100 },
  ]);
  await service.nextHour();
  const { agent, stats } = await dataOf(
    service,
    `{ agent(id: ${bold.id}) { calibration { ${FIGURES} } } stats { calibration { ${FIGURES} } } }`,
  );
  await service.stop();

  // c: 0.8 right of two, 0.85 wrong of eight. Brier (0.04 + 0.7225) / 2, reference (0.25 + 1/64) / 2.
  expect(agent.calibration).toMatchObject({ n: 2, skill: null });
  expect(agent.calibration.brier).toBeCloseTo(0.38125, 12);
  expect(agent.calibration.referenceBrier).toBeCloseTo(0.1328125, 12);
  expect(agent.calibration.logLoss).toBeCloseTo((0.2231435513 + 1.8971199849) / 2, 9);
  // One bin, 80-89: hit rate 1/2, mean confidence 0.825.
  expect(agent.calibration.expectedCalibrationError).toBeCloseTo(0.325, 12);
  expect(agent.calibration.bins[8]).toMatchObject({ from: 80, to: 89, n: 2, meanConfidence: 0.825, hitRate: 0.5 });
  expect(agent.calibration.bins[8].hitRateInterval.low).toBeCloseTo(0.0945312, 6);
  expect(agent.calibration.bins[8].hitRateInterval.high).toBeCloseTo(0.9054688, 6);
  expect(agent.calibration.bins[9]).toEqual({
    from: 90,
    to: 100,
    n: 0,
    meanConfidence: null,
    hitRate: null,
    hitRateInterval: null,
  });
  // The other one: 0 right of two, 100 wrong of eight: both as far off as can be, -ln 0.01 each.
  expect(stats.calibration).toMatchObject({ n: 4, skill: null });
  expect(stats.calibration.brier).toBeCloseTo((0.04 + 0.7225 + 1 + 1) / 4, 12);
  expect(stats.calibration.referenceBrier).toBeCloseTo((0.25 + 1 / 64) / 2, 12);
  expect(stats.calibration.logLoss).toBeCloseTo((0.2231435513 + 1.8971199849 + 2 * 4.605170186) / 4, 9);
});

test('calibration without predictions has n 0 and null figures', async () => {
  const field = await openField({ agents: 1 });
  const { agent, stats } = await dataOf(
    field.service,
    `{ agent(id: 1) { calibration { ${FIGURES} } } stats { calibration { ${FIGURES} } } }`,
  );
  await field.service.stop();
  for (const { calibration } of [agent, stats]) {
    const nothing = { brier: null, referenceBrier: null, skill: null, logLoss: null, expectedCalibrationError: null };
    expect(calibration).toMatchObject({ n: 0, ...nothing });
    expect(calibration.bins).toHaveLength(10);
  }
});

async function twoPlayers(register: () => Promise<readonly Player[]>): Promise<readonly [Player, Player]> {
  const [one, other] = await register();
  if (one === undefined || other === undefined) throw new Error('Two players were expected');
  return [one, other];
}
