import { expect, test } from '@jest/globals';

import { DeadlineExceeded, withDeadline } from '../../src/deadline.ts';
import { type ForecastRound } from '../../src/forecasts/forecast-inputs.ts';
import { runningForecasts } from '../../src/forecasts/running.ts';
import { addHours, MINUTE } from '../../src/rules/hours.ts';
import { currentRound, startOf } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

/** Forecasts that read prices only once `open` was called; `readings` counts how often the predictions are read. */
async function heldForecasts() {
  const gate = Promise.withResolvers<void>();
  const counted = { readings: 0 };
  const forecasts = runningForecasts({
    newEm: () => {
      counted.readings += 1;
      return service.newEm();
    },
    references: { read: () => gate.promise.then(() => null), fillMinutes: async () => {} },
  });
  const current = await currentRound(service);
  const round: ForecastRound = { id: current.id, startTime: startOf(current), choices: current.choices };
  const ask = (point: number) => forecasts(round, new Date(addHours(round.startTime, 1).getTime() - MINUTE), point);
  return { ask, counted, open: gate.resolve };
}

test('concurrent requests for forecasts of the running round share one more read', async () => {
  const { ask, counted, open } = await heldForecasts();
  const requests = Array.from({ length: 90 }, (_, n) => ask(4 * (n % 30)));
  open();
  const found = await Promise.all(requests);
  expect(found.map(({ point }) => point)).toEqual(Array.from({ length: 90 }, (_, n) => 4 * (n % 30)));
  expect(counted.readings).toBe(2);
});

test('a forecast is not computed after all its callers’ deadlines', async () => {
  const { ask, counted, open } = await heldForecasts();
  const first = ask(4);
  await expect(withDeadline(20, () => ask(8))).rejects.toThrow(DeadlineExceeded);
  open();
  await first;
  expect(counted.readings).toBe(1);
});
