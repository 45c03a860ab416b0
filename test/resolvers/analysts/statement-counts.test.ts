import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { pageParts } from '../../../src/reads/paging.ts';
import { predictionsOfAgent } from '../../../src/reads/prediction-lists.ts';
import { dataOf } from '../../support/asking.ts';
import { statementsDuring } from './counted-statements.ts';
import { openField, type PlayedField } from '../../support/played-field.ts';

let field: PlayedField;

beforeAll(async () => {
  // Every document is executed.
  field = await openField({ agents: 110, seed: 2, keeping: { bytes: 0 } });
  await field.play(60, 0.9);
  // The first row that is read as an entity makes the service look whether its database is there.
  await dataOf(field.service, '{ agents(first: 1) { nodes { pnlHistory(points: 1) { round { id } } } } }');
});

afterAll(() => field.service.stop());

/** Returns its data, and how many statements it took. */
async function counted(query: string) {
  let data: Awaited<ReturnType<typeof dataOf>> = null;
  const statements = await statementsDuring(async () => {
    data = await dataOf(field.service, query);
  });
  return { data, count: statements.length };
}

/** The nested examples of the design, each at most three statements. */
const EXAMPLES = [
  {
    name: 'the top 100 with their agents and figures',
    query: `{ leaderboard(period: alltime, limit: 100) { period updatedAt rankings { rank totalPoints agent { id name mode
      totalPoints totalWins winRate simPnlTotal simPnl30d currentStreak bestStreak credentialTier
      standing(period: weekly) { rank totalPoints brier skill } } } } }`,
    rows: 100,
    rowsIn: '"rank":[0-9]+,"totalPoints":-?[0-9]+,"agent"',
  },
  {
    name: '20 rounds with 10 predictions each and their agents',
    query: `{ rounds(first: 20, status: resolved) { pageInfo { hasNextPage endCursor } edges { cursor node { id question outcome
      predictions(first: 10, orderBy: PLACE) { pageInfo { hasNextPage } edges { node { place confidence score
        agent { name totalPoints credentialTier } } } } } } } }`,
    rows: 200,
    rowsIn: '"place":',
  },
  {
    name: 'an agent with 50 predictions and their rounds',
    query: `{ agent(id: 5) { name totalPoints winRate predictions(first: 50) { nodes { confidence isCorrect question
      round { id question outcome startTime totalEntries } } pageInfo { endCursor hasPreviousPage } } } }`,
    rows: 50,
    rowsIn: '"round":',
  },
];

describe('number of statements', () => {
  test.each(EXAMPLES)('at most three statements read $name', async ({ query, rows, rowsIn }) => {
    const { data, count } = await counted(query);
    expect(JSON.stringify(data).match(new RegExp(rowsIn, 'g'))).toHaveLength(rows);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(3);
  });
});

/** Every field that leads on from a list, with the size of the list left open. */
const NESTED: readonly ((first: number) => string)[] = [
  (first) => `{ agents(first: ${first}) { nodes { totalPoints standing(period: daily) { rank } } } }`,
  (first) => `{ agents(first: ${first}) { nodes { calibration(window: weekly, asset: "BTC") { n } } } }`,
  (first) => `{ agents(first: ${first}) { nodes { pnlHistory(points: 3) { value round { id } } } } }`,
  (first) => `{ agents(first: ${first}) { nodes { pointsHistory(points: 3) { value } } } }`,
  (first) =>
    `{ agents(first: ${first}) { nodes { predictions(first: 3) { nodes { round { id assets { symbol } } } } } } }`,
  (first) => `{ agents(first: ${first}) { nodes { recentPredictions { id } } } }`,
  (first) => `{ rounds(first: ${first}, status: resolved) { nodes { crowd { n } } } }`,
  (first) => `{ rounds(first: ${first}, status: resolved) { nodes { evidence { symbol } assets { symbol } } } }`,
  (first) =>
    `{ rounds(first: ${first}, status: resolved) { nodes { results(limit: 3) { agent { name totalPoints } } } } }`,
  (first) => `{ rounds(first: ${first}) { nodes { entries(limit: 3) { agent { name } } } } }`,
  (first) =>
    `{ predictions(first: ${first}, status: resolved) { nodes { agent { name standing { rank } } round { question crowd { n } } } } }`,
  (first) => `{ rounds(first: ${first}, status: resolved) { nodes { predictions(first: 2) { nodes {
    agent { predictions(first: 2, status: resolved) { nodes { round { crowd { n } } } } } } } } } }`,
];

describe('growing pages', () => {
  test.each(NESTED.map((query) => ({ query, name: query(3) })))(
    'a larger page needs no more statements: $name',
    async ({ query }) => {
      const few = await counted(query(3));
      const many = await counted(query(40));
      expect(JSON.stringify(many.data).length).toBeGreaterThan(2 * JSON.stringify(few.data).length);
      expect(many.count).toBe(few.count);
    },
  );

  test('a field with the same arguments under two aliases is read once', async () => {
    const once = await counted('{ agent(id: 1) { a: calibration { n } } }');
    const twice = await counted('{ agent(id: 1) { a: calibration { n } b: calibration(window: alltime) { skill } } }');
    expect(twice.count).toBe(once.count);
  });

  test('ends of rounds are read only if histories select them, once for all', async () => {
    const without = await counted('{ agent(id: 1) { pnlHistory { value } edgeHistory { value } } }');
    const within = await counted(
      '{ agent(id: 1) { pnlHistory { at } pointsHistory { at } edgeHistory { at value } } }',
    );
    expect(within.count).toBe(without.count + 1);
  });
});

test('an agent’s predictions are read by round and agent despite cheaper estimates', async () => {
  const { from, where, inOrder } = pageParts(predictionsOfAgent({}, 'NEWEST'), null);
  const plan = await field.service.newEm().transactional(async (em) => {
    const database = em.getKysely();
    for (const way of ['nestloop', 'seqscan', 'bitmapscan'])
      await sql`set local ${sql.ref(`enable_${way}`)} = off`.execute(database);
    const { rows } = await sql<Readonly<Record<string, string>>>`
      explain select p.confidence from (select 1) parent(id) cross join lateral (
        select p.confidence from ${from} where ${where} order by ${inOrder} limit 50) p`.execute(database);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(
    /predictions_first_pkey on predictions_first\b.*\n +Index Cond: \(\(round_id = .*\) AND \(agent_id = /,
  );
});
