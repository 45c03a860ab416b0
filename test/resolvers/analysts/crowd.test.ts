import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { ASSETS } from '../../../src/rules/assets.ts';
import { hourOf } from '../../../src/rules/hours.ts';
import { dataOf } from '../../support/asking.ts';
import { type Fact, openField, type PlayedField } from '../../support/played-field.ts';

let field: PlayedField;

beforeAll(async () => {
  field = await openField({ agents: 15, seed: 3 });
});

afterAll(() => field.service.stop());

const CROWDS = `{ rounds(first: 100) { nodes {
  id status choices totalEntries crowd { n meanConfidencePct answers { answer n share meanConfidencePct } } } } }`;

interface CrowdRound {
  readonly id: number;
  readonly status: string;
  readonly choices: readonly string[];
  readonly crowd: object | null;
}

async function roundsNow(): Promise<readonly CrowdRound[]> {
  return (await dataOf(field.service, CROWDS)).rounds.nodes;
}

test('the crowd is visible from the start of the round, and constant from its end', async () => {
  const start = hourOf(field.service.clock.now());
  for (const asset of ASSETS) field.service.market.script(asset, start, null);
  await field.predict(1);
  const [upcoming, active] = await roundsNow();
  expect(upcoming).toMatchObject({ status: 'upcoming', crowd: null });
  expect(active).toMatchObject({ status: 'active', crowd: { n: 15 } });
  await field.service.nextHour();
  const waiting = (await roundsNow()).find(({ id }) => id === active?.id);
  expect(waiting).toMatchObject({ status: 'resolving', crowd: active?.crowd });
  await field.play(25);
  const decided = (await roundsNow()).find(({ id }) => id === active?.id);
  expect(decided?.status).toBe('void');
  expect(decided?.crowd).toEqual(waiting?.crowd);
});

test('every crowd equals a recount of its round, also of void ones', async () => {
  const facts = await field.facts();
  const rounds = (await roundsNow()).filter(({ status }) => status === 'resolved' || status === 'void');
  expect(rounds.length).toBeGreaterThan(20);
  for (const { id, choices, crowd } of rounds) {
    const given = facts.filter(({ roundId }) => roundId === id);
    expect(crowd).toEqual({
      n: given.length,
      meanConfidencePct: mean(given),
      answers: choices.map((answer) => {
        const alike = given.filter(({ prediction }) => prediction === answer);
        return { answer, n: alike.length, share: alike.length / given.length, meanConfidencePct: mean(alike) };
      }),
    });
  }
});

test('a round without predictions has an empty crowd', async () => {
  await field.service.nextHour();
  const round = (await roundsNow()).find(({ status }) => status === 'resolved');
  expect(round?.crowd).toEqual({
    n: 0,
    meanConfidencePct: null,
    answers: round?.choices.map((answer) => ({ answer, n: 0, share: null, meanConfidencePct: null })),
  });
});

test('the crowd of a running round includes predictions at once', async () => {
  await field.service.nextHour();
  expect(await crowdNow()).toMatchObject({ n: 0, meanConfidencePct: null, meanConfidence: null });
  await field.predict(1);
  const crowd = await crowdNow();
  expect(crowd.n).toBe(15);
  expect(crowd.meanConfidence).toBe(crowd.meanConfidencePct);
  expect(crowd.meanConfidencePct).toBe(mean((await field.facts()).slice(-15)));
  await field.service.nextHour();
});

async function crowdNow(): Promise<{ n: number; meanConfidencePct: number | null; meanConfidence: number | null }> {
  return (await dataOf(field.service, '{ currentRound { crowd { n meanConfidencePct meanConfidence } } }')).currentRound
    .crowd;
}

function mean(facts: readonly Fact[]): number | null {
  const sum = facts.reduce((total, { confidence }) => total + confidence, 0);
  // Whole confidences: a hundredth's half comes from halves of whole numbers alone, which are exact.
  return facts.length === 0 ? null : Math.round((100 * sum) / facts.length) / 100;
}
