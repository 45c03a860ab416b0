import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { ASSETS } from '../../../src/rules/assets.ts';
import { hourOf } from '../../../src/rules/hours.ts';
import { dataOf } from '../asking.ts';
import { type Fact, openField, type PlayedField } from './played-field.ts';

let field: PlayedField;

beforeAll(async () => {
  field = await openField({ agents: 15, seed: 3 });
});

afterAll(() => field.service.stop());

const CROWDS = `{ rounds(first: 100) { nodes {
  id status choices totalEntries crowd { n meanConfidence answers { answer n share meanConfidence } } } } }`;

interface CrowdRound {
  readonly id: number;
  readonly status: string;
  readonly choices: readonly string[];
  readonly crowd: object | null;
}

async function roundsNow(): Promise<readonly CrowdRound[]> {
  return (await dataOf(field.service, CROWDS)).rounds.nodes;
}

test('the crowd is hidden while the round is open, and shown from the end of its hour on', async () => {
  const start = hourOf(field.service.clock.now());
  for (const asset of ASSETS) field.service.market.script(asset, start, null);
  await field.predict(1);
  const [upcoming, active] = await roundsNow();
  expect(upcoming).toMatchObject({ status: 'upcoming', crowd: null });
  expect(active).toMatchObject({ status: 'active', crowd: null });
  await field.service.nextHour();
  const waiting = (await roundsNow()).find(({ id }) => id === active?.id);
  expect(waiting).toMatchObject({ status: 'resolving', crowd: { n: 15 } });
  await field.play(25);
  const decided = (await roundsNow()).find(({ id }) => id === active?.id);
  expect(decided?.status).toBe('void');
  expect(decided?.crowd).toEqual(waiting?.crowd);
});

test('every crowd is what a count of the round gives, void rounds too', async () => {
  const facts = await field.facts();
  const rounds = (await roundsNow()).filter(({ status }) => status === 'resolved' || status === 'void');
  expect(rounds.length).toBeGreaterThan(20);
  for (const { id, choices, crowd } of rounds) {
    const given = facts.filter(({ roundId }) => roundId === id);
    expect(crowd).toEqual({
      n: given.length,
      meanConfidence: mean(given),
      answers: choices.map((answer) => {
        const alike = given.filter(({ prediction }) => prediction === answer);
        return { answer, n: alike.length, share: alike.length / given.length, meanConfidence: mean(alike) };
      }),
    });
  }
});

test('a round that nobody answered has an empty crowd', async () => {
  await field.service.nextHour();
  const round = (await roundsNow()).find(({ status }) => status === 'resolved');
  expect(round?.crowd).toEqual({
    n: 0,
    meanConfidence: null,
    answers: round?.choices.map((answer) => ({ answer, n: 0, share: null, meanConfidence: null })),
  });
});

function mean(facts: readonly Fact[]): number | null {
  const sum = facts.reduce((total, { confidence }) => total + confidence, 0);
  // Whole confidences: a hundredth's half comes from halves of whole numbers alone, which are exact.
  return facts.length === 0 ? null : Math.round((100 * sum) / facts.length) / 100;
}
