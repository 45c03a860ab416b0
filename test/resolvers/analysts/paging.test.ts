import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { predict } from '../../support/agents.ts';
import { registered } from '../../support/asking.ts';
import { openField, type PlayedField } from '../../support/played-field.ts';
import { idsOf, pageAt, type Path, walk } from './walking.ts';

let field: PlayedField;

beforeAll(async () => {
  field = await openField({ agents: 8 });
  await field.play(15);
  await field.predict(1);
});

afterAll(() => field.service.stop());

/** Every list in every order whose rows keep their places, and what adds a row to it. */
const LISTS: readonly { readonly path: Path; readonly add: 'agent' | 'hour' | 'prediction' }[] = [
  ...['NEWEST', 'OLDEST'].map((order) => ({ path: [`rounds(orderBy: ${order})`], add: 'hour' as const })),
  ...['NEWEST', 'OLDEST', 'NAME'].map((order) => ({ path: [`agents(orderBy: ${order})`], add: 'agent' as const })),
  ...['NEWEST', 'OLDEST'].map((order) => ({ path: [`predictions(orderBy: ${order})`], add: 'hour' as const })),
  ...['NEWEST', 'OLDEST'].map((order) => ({
    path: ['agent(id: 3)', `predictions(orderBy: ${order})`],
    add: 'hour' as const,
  })),
  ...['NEWEST', 'OLDEST'].map((order) => ({
    path: ['currentRound', `predictions(orderBy: ${order})`],
    add: 'prediction' as const,
  })),
  ...['NEWEST', 'OLDEST', 'PLACE', 'PLACE_LAST'].map((order) => ({
    path: ['round(id: 4)', `predictions(orderBy: ${order})`],
    add: 'hour' as const,
  })),
];

const ADD = {
  agent: async () => {
    await newcomer();
  },
  hour: () => field.play(1),
  prediction: async () => {
    await predict(field.service, { key: await newcomer() });
  },
};

/** Registers an agent whose name comes anywhere in the alphabet, and gives its key. */
async function newcomer(): Promise<string> {
  const name = `n${field.random.between(100_000, 999_999)}`;
  return (await registered(field.service, field.random.chance(0.5) ? name.toUpperCase() : `A-${name}`)).key;
}

describe.each(LISTS)('$path', ({ path, add }) => {
  beforeAll(() => field.predict(1));

  test('pages of every size have the whole list once, in its order', async () => {
    const whole = await idsOf(field.service, path);
    expect(whole.length).toBeGreaterThan(3);
    for (const first of [2, 3, whole.length - 1, whole.length, whole.length + 1].filter((size) => size <= 100)) {
      const pages = await walk(field.service, path, { first });
      expect(pages.flatMap(({ ids }) => ids)).toEqual(whole);
      expect(pages.slice(0, -1).every(({ ids }) => ids.length === first)).toBe(true);
    }
  });

  test('rows added during paging hide and repeat none', async () => {
    const before = await idsOf(field.service, path);
    let additions = 0;
    const pages = await walk(field.service, path, {
      first: field.random.between(2, 6),
      between: async () => {
        additions += 1;
        if (additions <= 3) await ADD[add]();
      },
    });
    const seen = pages.flatMap(({ ids }) => ids);
    expect(new Set(seen).size).toBe(seen.length);
    const old = new Set(before);
    expect(seen.filter((id) => old.has(id))).toEqual(before);
    const after = await idsOf(field.service, path);
    const known = new Set(seen);
    expect(after.filter((id) => known.has(id))).toEqual(seen);
  });

  test('the page info shows whether rows exist on either side', async () => {
    const whole = await idsOf(field.service, path);
    const first = await pageAt(field.service, path, { first: 1 });
    expect(first).toMatchObject({ ids: [whole[0]], hasNextPage: true, hasPreviousPage: false });
    const second = await pageAt(field.service, path, { first: 1, after: first.endCursor });
    expect(second).toMatchObject({ ids: [whole[1]], hasNextPage: whole.length > 2, hasPreviousPage: true });
    const last = (await walk(field.service, path, { first: 100 })).at(-1);
    const beyond = await pageAt(field.service, path, { first: 1, after: last?.endCursor ?? null });
    expect(beyond).toEqual({ ids: [], hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null });
  });
});

test('a cursor without filtered rows before it has no previous page', async () => {
  const [oldest, ...others] = await idsOf(field.service, ['rounds(orderBy: OLDEST)']);
  expect(others.length).toBeGreaterThan(0);
  const { endCursor } = await pageAt(field.service, ['rounds(orderBy: OLDEST)'], { first: 1 });
  const upcoming = await pageAt(field.service, ['rounds(orderBy: OLDEST, status: upcoming)'], { after: endCursor });
  expect(upcoming).toMatchObject({ hasPreviousPage: false });
  expect(upcoming.ids).toEqual([others.at(-1)]);
  expect(upcoming.ids).not.toContain(oldest);
});

test('an empty list is an empty page', async () => {
  const empty = { ids: [], hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
  expect(await pageAt(field.service, ['agents(tier: diamond)'])).toEqual(empty);
  expect(await pageAt(field.service, ['agent(id: 1)', 'predictions(to: "2020-01-01T00:00:00Z")'])).toEqual(empty);
});

test('a page has ten rows by default', async () => {
  for (const path of [['agents'], ['rounds'], ['predictions'], ['agent(id: 1)', 'predictions']]) {
    expect((await pageAt(field.service, path)).ids).toHaveLength(10);
  }
});
