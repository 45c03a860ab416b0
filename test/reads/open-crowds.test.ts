import { afterAll, beforeAll, expect, test } from '@jest/globals';

import type { MinuteCount } from '../../src/reads/crowd.ts';
import { openCrowds } from '../../src/reads/open-crowds.ts';
import { type Fact, openField, type PlayedField } from '../support/played-field.ts';
import { currentRound } from '../support/rounds.ts';
import { statementsDuring } from '../resolvers/analysts/counted-statements.ts';

const AGENTS = 40;

let field: PlayedField;
let facts: readonly Fact[];
let id: number;
beforeAll(async () => {
  field = await openField({ agents: AGENTS, minutes: [10, 20, 30] });
  await field.predict(1);
  facts = await field.facts();
  id = (await currentRound(field.service)).id;
});
afterAll(() => field.service.stop());

/** What each answer was given, counted one by one, by the first `n`. */
function oracle(n: number): object {
  return byAnswer(facts.slice(0, n).map(({ prediction, confidence }) => ({ answer: prediction, n: 1, confidence })));
}

function textOf(counts: readonly MinuteCount[]): object {
  return byAnswer(counts.map(({ answer, n, confidenceSum }) => ({ answer, n, confidence: confidenceSum })));
}

function byAnswer(counts: readonly { answer: string; n: number; confidence: number }[]): object {
  const sums: Record<string, { n: number; confidence: number }> = {};
  for (const { answer, n, confidence } of counts) {
    const sum = (sums[answer] ??= { n: 0, confidence: 0 });
    sum.n += n;
    sum.confidence += confidence;
  }
  return sums;
}

test('each state of a round has its own crowd, in any order of requests', async () => {
  const states = Array.from({ length: AGENTS + 1 }, (_, totalEntries) => ({ id, totalEntries }));
  const mixed = states.toSorted((one, other) => ((one.totalEntries * 7) % 41) - ((other.totalEntries * 7) % 41));
  const crowds = openCrowds(field.service.newEm);
  for (const ids of [mixed.slice(0, 20), mixed.slice(10, 30), mixed])
    expect((await crowds(ids)).map(textOf)).toEqual(ids.map(({ totalEntries }) => oracle(totalEntries)));
});

test('concurrent requests for one state within a second share one count', async () => {
  const crowds = openCrowds(field.service.newEm);
  const state = { id, totalEntries: AGENTS };
  const statements = await statementsDuring(() => Promise.all([crowds([state]), crowds([state]), crowds([state])]));
  expect(statements).toHaveLength(1);
});

test('a later state is counted from an earlier one', async () => {
  const crowds = openCrowds(field.service.newEm);
  const [earlier, later] = await Promise.all([
    crowds([{ id, totalEntries: AGENTS - 1 }]),
    // The base of this one is not there yet.
    crowds([{ id, totalEntries: AGENTS }]),
  ]);
  expect([earlier, later].map(([counts = []]) => textOf(counts))).toEqual([oracle(AGENTS - 1), oracle(AGENTS)]);
});

test('after a second only the newest state of a round is kept', async () => {
  let nowMs = 5_000;
  const crowds = openCrowds(field.service.newEm, () => nowMs);
  const states = [AGENTS - 2, AGENTS - 1].map((totalEntries) => ({ id, totalEntries }));
  for (const state of states) await crowds([state]);
  nowMs += 1_000;
  const counted: number[] = [];
  for (const state of states.toReversed()) counted.push((await statementsDuring(() => crowds([state]))).length);
  expect(counted).toEqual([0, 1]);
});

test('a request after a failure is answered', async () => {
  let fails = true;
  const crowds = openCrowds(() => {
    if (fails) throw new Error('no connection');
    return field.service.newEm();
  });
  await expect(crowds([{ id, totalEntries: 3 }])).rejects.toThrow('no connection');
  fails = false;
  const [counts = []] = await crowds([{ id, totalEntries: 3 }]);
  expect(textOf(counts)).toEqual(oracle(3));
});
