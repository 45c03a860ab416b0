import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { namesDuring, statementsDuring } from '../resolvers/analysts/counted-statements.ts';
import { byGraphqlJs } from '../support/by-graphql-js.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { seeded } from '../support/seeded.ts';
import { nullPlace } from './null-place.ts';
import { randomDocument } from './random-documents.ts';

const AGENTS = 8;
/** So many random documents are compared. */
const ANSWERED = 100;

let field: PlayedField;
let standard: ReturnType<typeof byGraphqlJs>;
beforeAll(async () => {
  // Every document is executed.
  field = await openField({ agents: AGENTS, keeping: { bytes: 0 } });
  standard = byGraphqlJs(field.service);
  await field.play(20);
  await field.playWithoutPrices();
  await field.play(2);
  await field.predict();
});
afterAll(() => field.service.stop());

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[] | undefined;
}

async function ask(query: string): Promise<Answer> {
  const { body } = await field.service.request('POST', '/graphql', { body: { query } });
  return body;
}

/** Whether it costs more than the service takes, which graphql-js does not ask. */
function isTooMuch({ errors = [] }: Answer): boolean {
  return errors.some(({ message }) => message.startsWith('The query asks for too much'));
}

/** As it is compared: below a null, which errors come in time is a matter of chance. */
function compared({ data, errors = [] }: Answer) {
  return {
    data,
    nulls: [...new Set(errors.map(({ path }) => JSON.stringify(nullPlace(data, path ?? []))))].toSorted(),
  };
}

function* cursorsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && inner.startsWith('Wy')) yield inner;
    else if (key !== '') yield* cursorsIn(inner);
  }
}

const EXAMPLES = [
  [
    'the top 100 with their agents and figures',
    `{ leaderboard(period: alltime, limit: 100) { period updatedAt rankings { rank totalPoints agent { id name mode
      totalPoints totalWins winRate simPnlTotal simPnl30d currentStreak bestStreak credentialTier
      standing(period: weekly) { rank totalPoints brier skill edge { mean low high n } arenaEdge { mean low n } luck { wins pnl } contribution peerScore
        skillInterval { low high } pointsPerRound { mean low } hitRateInterval { low } } } } } }`,
  ],
  [
    '20 rounds with 10 predictions each and their agents',
    `{ rounds(first: 20, status: resolved) { pageInfo { hasNextPage endCursor } edges { cursor node { id question outcome
      assets { symbol startPriceUsd returnPct } agreedCandles { symbol closeUsd }
      predictions(first: 10, orderBy: PLACE) { pageInfo { hasNextPage } edges { node { place confidence score
        agent { name totalPoints credentialTier } } } } } } } }`,
  ],
  [
    'an agent with 50 predictions and their rounds',
    `{ agent(id: 5) { name totalPoints winRate predictions(first: 50) { nodes { confidence isCorrect question
      round { id question outcome entries(limit: 3) { agentName } } } } } }`,
  ],
  [
    'the running round',
    '{ currentRound { question predictions { nodes { agent { name } } } assets { symbol } } nextRound: __typename }',
  ],
] as const;

describe('nested rows in one statement', () => {
  test('random documents get the rows that a search of whole tables finds', async () => {
    const schema = makeSchema();
    const random = seeded(7);
    const names = Array.from({ length: AGENTS }, (_, at) => `agent-${at + 1}`);
    const cursors = ['W10'];
    const seen = { answered: 0, refused: 0 };
    // How many random documents are answered changes with each field of the schema.
    for (let at = 0; seen.answered < ANSWERED && at < 1000; at += 1) {
      const query = randomDocument(schema, { random, cursors, names });
      // Who asks first for references has the prices kept that they need.
      if (isTooMuch(await ask(query))) continue;
      const unplanned = await standard(query);
      expect({ query, ...compared(await ask(query)) }).toEqual({ query, ...compared(unplanned) });
      cursors.push(...[...cursorsIn(unplanned.data)].slice(0, 3));
      seen[unplanned.errors === undefined ? 'answered' : 'refused'] += 1;
    }
    expect(seen.answered).toBe(ANSWERED);
    expect(field.service.reported).toEqual([]);
  });

  test('rows come beside null, errors and resolved fields', async () => {
    const note = `"quoted" \\ / \b\f\n\r\t\u0001\u007f <é> \u2028 \u{1f600}`;
    await field.service.newEm().execute('update rounds set question = ? where id = 1', [note]);
    const query = `{ rounds(first: 30) { __typename edges { __typename node { id question __typename } } } none: round(id: 99) { id }
      wrong: agent(id: 1, name: "agent-1") { id } stats { totalAgents } nobody: agent(name: "nobody") { id name }
      paged: rounds(first: 1) { nodes { id } pageInfo { hasNextPage } } agent(id: 1) { entries: predictions { nodes { id } } } }`;
    const { data, errors } = await ask(query);
    expect({ data, nulls: errors?.map(({ path }) => path) }).toEqual({
      data: JSON.parse(JSON.stringify((await standard(query)).data)),
      nulls: [['wrong']],
    });
    expect(JSON.stringify(data)).toContain(`"question":${JSON.stringify(note)}`);
  });

  test('aliases of one page get their own selections', async () => {
    const query = `{ rounds(first: 2) { a: nodes { x: id } b: nodes { x: status predictions(first: 1) { nodes { id } } }
      edges { cursor node { id y: predictions(first: 2) { nodes { agentName } } } other: node { y: predictions(first: 1) { nodes { id } } } }
      last: edges { cursor } pageInfo { endCursor } } }`;
    const { data } = await ask(query);
    expect(data).toEqual(JSON.parse(JSON.stringify((await standard(query)).data)));
    expect(await statementsDuring(() => ask(query))).toHaveLength(1);
  });

  test.each(EXAMPLES)('a document runs one statement, at first and again: %s', async (_, query) => {
    const { data } = JSON.parse(JSON.stringify(await standard(query)));
    expect(JSON.stringify(data).length).toBeGreaterThan(500);
    for (const sent of [query, query]) {
      const statements = await statementsDuring(async () => expect(await ask(sent)).toMatchObject({ data }));
      expect(statements).toHaveLength(1);
    }
  });

  test('boards of one window read their benchmarks in one statement', async () => {
    const boards = Array.from(
      { length: 5 },
      (_, at) => `b${at}: leaderboard(period: daily, limit: 1) { benchmarks(minute: 30) { name rounds } }`,
    );
    const query = `{ ${boards.join(' ')} }`;
    const reading = await statementsDuring(async () => expect(await ask(query)).not.toHaveProperty('errors'));
    expect(reading.filter((text) => text.includes('forecast_scores'))).toHaveLength(1);
  });

  test('aliases such as toString and constructor are read, and refused at their paths', async () => {
    const query = `{ round(id: 2) { assets { symbol } toString: predictions(first: 2) { nodes { id } edges { node { id } } } }
      agent(id: 1) { standing { rank } constructor: predictions(first: 0) { nodes { id } } } }`;
    const { data, errors } = await ask(query);
    expect({ data, errors }).toMatchObject({
      data: { round: { toString: { nodes: { length: 2 }, edges: { length: 2 } } } },
      errors: [{ path: ['agent', 'constructor'], extensions: { code: 'BAD_REQUEST' } }],
    });
    expect({ data, errors }).toEqual(JSON.parse(JSON.stringify(await standard(query))));
    expect(field.service.reported).toEqual([]);
  });

  test('the statement reads no edge, cursor or page info that is not selected', async () => {
    const query = '{ rounds(first: 3, after: null) { nodes { id predictions(first: 2) { nodes { id } } } } }';
    await ask(query);
    const [text] = await statementsDuring(() => ask(query));
    expect(text).not.toMatch(/exists|start_time\) \*/);
    expect([...(text ?? '').matchAll(/limit (\d+)/g)].map(([, limit]) => limit)).toEqual(['2', '3']);
  });

  test('the statement keeps its name when only values change', async () => {
    const query = 'query ($id: Int!) { agent(id: $id) { name predictions(first: 5) { nodes { round { id } } } } }';
    const askFor = (id: number) => field.service.request('POST', '/graphql', { body: { query, variables: { id } } });
    const names = await namesDuring(async () => {
      for (let id = 1; id <= 6; id += 1) expect((await askFor(id)).body.data.agent.name).toMatch(/./);
    });
    expect(new Set(names.slice(-4)).size).toBe(1);
    expect(names.at(-1)).toMatch(/^callers_\d+$/);
  });
});
