import { afterAll, beforeAll } from '@jest/globals';

import { openField, type Played } from '../../support/played-field.ts';
import { describeArchives } from './archives.ts';
import { describeBreakdowns } from './breakdowns.ts';
import { describeCalibration } from './calibration.ts';
import { describeComparisons } from './comparisons.ts';
import { describeHistories } from './histories.ts';
import { describeLinks } from './links.ts';
import { describePredictionFilters } from './prediction-filters.ts';
import { describeRefusals } from './refusals.ts';
import { describeStandings } from './standings.ts';

// Playing takes longer than asking: what only reads shares one field, whose weeks and months differ.
let played: Played;

beforeAll(async () => {
  const field = await openField({ agents: 9, seed: 8, minutes: [10, 15, 30, 42, 55, 57] });
  await field.play(16);
  await field.playWithoutPrices();
  await field.play(26);
  await field.sleep(519);
  await field.play(20);
  await field.sleep(128);
  await field.play(30);
  await field.predict();
  played = { field, facts: await field.facts() };
});

afterAll(() => played.field.service.stop());

const lookedAt = (): Played => played;

describeLinks(lookedAt);
describeCalibration(lookedAt);
describeHistories(lookedAt);
describePredictionFilters(lookedAt);
describeRefusals(lookedAt);
describeArchives(lookedAt);
describeBreakdowns(lookedAt);
describeComparisons(lookedAt);
// Last: it registers a newcomer.
describeStandings(lookedAt);
