import { expect, test } from '@jest/globals';

import { dataOf } from '../support/asking.ts';
import { drawnPage } from '../support/drawn-page.ts';
import { sharedField, sharedService } from '../support/shared.ts';

const field = sharedField({ agents: 6, seed: 5 }, (one) => one.play(40));
const empty = sharedService();

const RECORDS = `{ records { longestStreak { name bestStreak } biggestUpset { id difficulty }
  closestCall { round { id } marginPct } } }`;

const ROUNDS = `{ rounds(first: 100, status: [resolved]) { nodes { id questionType totalEntries difficulty outcome
  params { thresholdPct } assets { startPriceUsd endPriceUsd } crowd { n answers { answer n } } } } }`;

interface Found {
  readonly id: number;
  readonly questionType: string;
  readonly totalEntries: number;
  readonly difficulty: number;
  readonly outcome: string;
  readonly params: { readonly thresholdPct: number | null };
  readonly assets: readonly { readonly startPriceUsd: number; readonly endPriceUsd: number }[];
  readonly crowd: { readonly n: number; readonly answers: readonly { readonly answer: string; readonly n: number }[] };
}

const roundsOf = async (): Promise<readonly Found[]> => (await dataOf(field.service, ROUNDS)).rounds.nodes;

test('an arena without rounds has no records, and its archive shows none', async () => {
  const { records } = await dataOf(empty, RECORDS);
  expect(records).toEqual({ longestStreak: null, biggestUpset: null, closestCall: null });
  expect((await drawnPage(empty, '/archive')).text).not.toContain('Longest streak');
});

test('the longest streak is the best of all agents', async () => {
  const { records, agents } = await dataOf(
    field.service,
    `{ ${RECORDS.slice(1, -1)} agents { nodes { bestStreak } } }`,
  );
  const best = Math.max(...agents.nodes.map(({ bestStreak }: { bestStreak: number }) => bestStreak));
  expect(records.longestStreak.bestStreak).toBe(best);
});

test('the biggest upset is the most difficult round with at least five predictions', async () => {
  const { records } = await dataOf(field.service, RECORDS);
  const all = await roundsOf();
  const difficulties = all.filter(({ totalEntries }) => totalEntries >= 5).map(({ difficulty }) => difficulty);
  expect(records.biggestUpset.difficulty).toBe(Math.max(...difficulties));
  expect(Math.max(...all.map(({ difficulty }) => difficulty))).toBeGreaterThan(records.biggestUpset.difficulty);
});

test('the closest call has the smallest margin of the types that a return decides', async () => {
  const { records } = await dataOf(field.service, RECORDS);
  const margins = (await roundsOf())
    .filter(({ questionType }) => ['direction', 'momentum', 'threshold', 'relative'].includes(questionType))
    .map(({ id, params, assets }) => {
      const [first = 0, second] = assets.map((asset) => (asset.endPriceUsd / asset.startPriceUsd - 1) * 100);
      return { id, margin: Math.abs(first - (second ?? params.thresholdPct ?? 0)) };
    });
  const closest = margins.toSorted((one, other) => one.margin - other.margin)[0];
  expect(margins.length).toBeGreaterThan(8);
  expect(records.closestCall.marginPct).toBeCloseTo(closest?.margin ?? Number.NaN, 9);
});

test('the archive shows the records with their figures', async () => {
  const { records } = await dataOf(field.service, RECORDS);
  const { text } = await drawnPage(field.service, '/archive');
  const upset = (await roundsOf()).find(({ id }) => id === records.biggestUpset.id);
  const right = upset?.crowd.answers.find(({ answer }) => answer === upset.outcome)?.n ?? 0;
  const share = `${((100 * right) / (upset?.crowd.n ?? 1)).toFixed(0)} %`;
  expect(text).toContain(
    `Longest streak ${records.longestStreak.name}, ${records.longestStreak.bestStreak} right answers`,
  );
  expect(text).toMatch(
    new RegExp(`Biggest upset [^?]+\\? ${upset?.outcome} against the surest answers; ${share} were right`),
  );
  expect(text).toContain(`by ${records.closestCall.marginPct.toFixed(4)} %`);
});
