import { beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { ask, dataOf } from '../../support/asking.ts';
import type { Fact } from '../../support/played-field.ts';
import { sharedField } from '../../support/shared.ts';

const AGENTS = 345;
const STORED = 300;
const field = sharedField({ agents: AGENTS, seed: 7, minutes: [4, 21, 48, 57] }, (one) => one.play(2, 0.9));

interface Row {
  readonly rank: number;
  readonly agentId: number;
  readonly value: number;
  readonly totalPoints: number;
  readonly totalWins: number;
  readonly medianMinute: number | null;
}

async function board(query: string): Promise<{ readonly places: number; readonly rankings: readonly Row[] }> {
  const text = `{ leaderboard(${query}) { places rankings { rank agentId value n totalPoints totalWins medianMinute
    interval { low } edge { mean low } } } }`;
  return (await dataOf(field.service, text)).leaderboard;
}

async function pages(query: string): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (;;) {
    const { rankings } = await board(`${query}, limit: 100, after: ${found.length}`);
    if (rankings.length === 0) return found;
    found.push(...rankings);
  }
}

let facts: readonly Fact[];
let played: number;

beforeAll(async () => {
  facts = await field.facts();
  played = new Set(facts.map(({ agentId }) => agentId)).size;
});

const ranked = (rows: readonly Row[], value: (row: Row) => number) =>
  rows.map((row) => 1 + rows.filter((other) => value(other) > value(row)).length);

test.each(['daily', 'weekly', 'monthly', 'alltime'])(
  'a %s board by points goes on over all its agents',
  async (period) => {
    const rows = await pages(`period: ${period}`);
    expect(rows.length).toBeGreaterThan(STORED);
    expect(rows.length).toBe(played);
    expect(new Set(rows.map(({ agentId }) => agentId)).size).toBe(played);
    expect(rows).toEqual(
      rows.toSorted(
        (one, other) =>
          other.totalPoints - one.totalPoints || other.totalWins - one.totalWins || one.agentId - other.agentId,
      ),
    );
    expect(rows.map(({ rank }) => rank)).toEqual(ranked(rows, ({ totalPoints }) => totalPoints));
    expect((await board(`period: ${period}, limit: 1`)).places).toBe(played);
    expect((await board(`period: ${period}, limit: 70, after: 70`)).rankings).toEqual(rows.slice(70, 140));
  },
);

test.each(['PNL', 'EDGE, minRounds: 0', 'PEER', 'CONTRIBUTION', 'ARENA, minRounds: 0', 'POINTS, period: daily'])(
  'a board by %s goes on over all its agents, sorted as the stored places',
  async (order) => {
    const query = `orderBy: ${order}`;
    const rows = await pages(query);
    expect(rows.length).toBe((await board(`${query}, limit: 1`)).places);
    expect(rows.length).toBeGreaterThan(STORED);
    expect(new Set(rows.map(({ agentId }) => agentId)).size).toBe(rows.length);
    expect(rows).toEqual(
      rows.toSorted(
        (one, other) => other.value - one.value || other.totalWins - one.totalWins || one.agentId - other.agentId,
      ),
    );
    expect(rows.map(({ rank }) => rank)).toEqual(ranked(rows, ({ value }) => value));
    // Those beyond the stored places are sorted on request, also if some stored ones are among them.
    expect((await board(`${query}, limit: 100, after: 201`)).rankings).toEqual(rows.slice(201, 301));
  },
);

test('the sums of a later place are those of its agent', async () => {
  const rows = await pages('orderBy: PNL');
  const totals = Map.groupBy(facts, ({ agentId }) => agentId);
  for (const { agentId, value } of rows.slice(STORED)) {
    const own = totals.get(agentId) ?? [];
    expect(value).toBeCloseTo(
      own.reduce((sum, { pnl }) => sum + Number(pnl), 0),
      6,
    );
  }
});

test('boards with other minimums go on as far as they are stored', async () => {
  for (const query of ['minRounds: 1', 'orderBy: EDGE, minRounds: 2']) {
    const rows = await pages(query);
    expect(rows.length).toBe((await board(query)).places);
    expect(rows.length).toBeLessThanOrEqual(STORED);
    expect(rows.slice(0, 100)).toEqual((await board(`${query}, limit: 100`)).rankings);
  }
  const byPoints = await pages('minRounds: 1');
  expect(byPoints.map(({ rank }) => rank)).toEqual(ranked(byPoints, ({ totalPoints }) => totalPoints));
  expect(new Set(byPoints.map(({ rank }) => rank)).size).toBeLessThan(STORED);
});

test('a part of a stored board is ranked among itself', async () => {
  const rows = await pages('minRounds: 2');
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.map(({ rank }) => rank)).toEqual(ranked(rows, ({ totalPoints }) => totalPoints));
});

test('each row has the median minute of the agent’s answers', async () => {
  const minutes = Map.groupBy(facts, ({ agentId }) => agentId);
  for (const query of ['period: alltime', 'period: alltime, after: 300', 'orderBy: PNL, after: 100'])
    for (const { agentId, medianMinute } of (await board(`${query}, limit: 100`)).rankings) {
      const own = (minutes.get(agentId) ?? []).map(({ submittedAt }) => submittedAt.getUTCMinutes());
      expect(medianMinute).toBe(own.toSorted((one, other) => one - other)[(own.length - 1) >> 1]);
    }
});

test('only whole numbers of rows are left out', async () => {
  const { errors } = await ask(field.service, '{ leaderboard(after: -1) { places } }');
  expect(errors[0]?.message).toBe('after must be a whole number from 0 to 10000000 (got -1).');
});

test('agents are found by the beginning of their name, a page at a time', async () => {
  const named = async (beginning: string, rest = ''): Promise<readonly string[]> => {
    const text = `{ agents(first: 100, orderBy: NAME, nameStartsWith: "${beginning}"${rest}) { nodes { name } } }`;
    const { nodes }: { nodes: { name: string }[] } = (await dataOf(field.service, text)).agents;
    return nodes.map(({ name }) => name);
  };
  const { rows } = await sql<{ name: string }>`select name from agents`.execute(field.service.newEm().getKysely());
  const names = rows.map(({ name }) => name);
  const [some = ''] = names;
  const beginning = some.slice(0, -1);
  const expected = names.filter((name) => name.toLowerCase().startsWith(beginning.toLowerCase())).toSorted();
  expect(expected.length).toBeGreaterThan(1);
  expect(await named(beginning)).toEqual(expected.slice(0, 100));
  expect(await named(beginning.toUpperCase())).toEqual(expected.slice(0, 100));
  expect(await named(`${some}z`)).toEqual([]);
  expect(await named('%')).toEqual([]);
  const { errors } = await ask(field.service, '{ agents(nameStartsWith: "a") { nodes { id } } }');
  expect(errors[0]?.message).toMatch(/^orderBy must be NAME/);
});

test('the longest streak is that of any agent, also beyond the stored places', async () => {
  const last = (await pages('period: alltime')).at(-1)?.agentId;
  await sql`update standings set best_streak = 99 where agent_id = ${last}`.execute(field.service.newEm().getKysely());
  await field.play(1);
  const { longestStreak } = (await dataOf(field.service, '{ records { longestStreak { id bestStreak } } }')).records;
  expect(longestStreak).toEqual({ id: last, bestStreak: 99 });
});
