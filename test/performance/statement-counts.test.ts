import { beforeAll, expect, test } from '@jest/globals';

import { predict, type Player, registerMany } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { startService } from '../support/service.ts';
import { hear, socketClient } from '../support/socket-client.ts';
import { write } from '../support/written-events.ts';
import { namesDuring, statementsDuring } from '../resolvers/analysts/counted-statements.ts';
import { sharedService } from '../support/shared.ts';

/*
 * How many statements a request takes, held by count since times are not steady. A number here is what the service needs
 * today: who needs fewer lowers it, and a greater one has its reason in docs/decisions.md.
 */

const GROUP = 32;
/** Into how many statements the writer may divide so many. */
const GROUPS = 8;
const HOURS = 2;

// Every answer is made anew.
const service = sharedService(() => ({ keeping: { bytes: 0 } }));
let players: readonly Player[];

beforeAll(async () => {
  players = await registerMany(service, 'counted', GROUP);
  for (let hour = 0; hour < HOURS; hour += 1) {
    await Promise.all(players.map((player, n) => predict(service, player, { confidence: n })));
    await service.nextHour();
  }
});

/** The fewest of some tries: now and then a process does something of its own meanwhile. */
async function fewest(work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let n = 0; n < 3; n += 1) counts.push((await statementsDuring(work)).length);
  return Math.min(...counts);
}

const REQUESTS = [
  { path: '/api/rounds/current', most: 1 },
  // The board, and what would have earned how much without an agent.
  { path: '/api/leaderboard', most: 2 },
  { path: '/api/rounds/recent', most: 1 },
  { path: '/api/stats', most: 6 },
  { path: '/api/data/market', most: 0 },
  { path: '/api/health', most: 0 },
  { path: '/api/agents/1', most: 1 },
  { path: '/api/rounds/1/results', most: 2 },
  { path: '/api/rounds/1/results?limit=10', most: 2 },
  { path: '/api/rounds/1/entries', most: 1 },
  { path: '/api/rounds/1/evidence', most: 1 },
  { path: '/api/me', most: 3, hasKey: true },
] as const;

test.each(REQUESTS)('GET $path runs at most $most statements', async ({ path, most, ...row }) => {
  const [player] = players;
  const key = 'hasKey' in row ? player?.key : undefined;
  const count = await fewest(async () => {
    const { status } = await service.request('GET', path, { key });
    if (status !== 200) throw new Error(`${path} is answered ${status}`);
  });
  expect(count).toBeLessThanOrEqual(most);
});

const UNKNOWN_KEY = `pk_live_${'0'.repeat(48)}`;

test.each([
  { method: 'GET', path: '/api/me' },
  { method: 'POST', path: '/api/predictions', body: { round_id: 1, prediction: 'BTC', confidence: 50 } },
] as const)('$method $path with an unknown key runs one statement', async ({ method, path, ...sent }) => {
  const refuse = async (): Promise<void> => {
    const { status } = await service.request(method, path, { key: UNKNOWN_KEY, ...sent });
    if (status !== 401) throw new Error(`${path} is answered ${status}`);
  };
  await refuse();
  expect(await fewest(refuse)).toBe(1);
});

test('concurrent cached answers of own profiles share one lookup of all keys', async () => {
  await using stack = new AsyncDisposableStack();
  const keeping = await startService();
  stack.defer(() => keeping.stop());
  const some = await registerMany(keeping, 'keeping', 8);
  const ask = () => Promise.all(some.map(({ key }) => keeping.request('GET', '/api/me', { key })));
  await ask();
  const names = await namesDuring(async () =>
    expect((await ask()).map(({ status }) => status)).toEqual(some.map(() => 200)),
  );
  expect(names.filter((name) => name !== 'key-holders')).toEqual([]);
  expect(names.length).toBeLessThan(some.length);
});

const DOCUMENTS = [
  {
    name: 'the first 100 of the board with their agents',
    query: '{ leaderboard(period: alltime, limit: 100) { rankings { rank totalPoints agent { id name } } } }',
    most: 1,
  },
  {
    name: '20 rounds with 10 predictions each and their agents',
    query: `{ rounds(first: 20, status: [resolved]) { nodes { id question status totalEntries
      predictions(first: 10, orderBy: PLACE) { nodes { prediction confidence score agent { name } } } } } }`,
    most: 1,
  },
  {
    name: 'an agent with 50 predictions and their rounds',
    query: `{ agent(id: 1) { id name totalPoints predictions(first: 50) { nodes { prediction confidence score
      round { id question status } } } } }`,
    most: 1,
  },
  { name: 'the running round', query: '{ currentRound { id question status } }', most: 1 },
] as const;

test.each(DOCUMENTS)('the document of $name runs at most $most statements', async ({ query, most }) => {
  expect(await fewest(() => dataOf(service, query))).toBeLessThanOrEqual(most);
});

test(`${GROUP} concurrent submissions run at most two statements each, and one for each written group`, async () => {
  const round = (await service.request('GET', '/api/rounds/current')).body.round;
  const statuses: number[] = [];
  const statements = await statementsDuring(() =>
    Promise.all(
      players.map(async ({ key }) => {
        const body = { round_id: round.id, prediction: round.choices[0], confidence: 50 };
        statuses.push((await service.request('POST', '/api/predictions', { key, body })).status);
      }),
    ),
  );
  expect(statuses).toEqual(players.map(() => 201));
  expect(statements.length).toBeLessThanOrEqual(2 * GROUP + GROUPS);
});

const REFUSED = [
  { reason: 'not_current_round', of: (id: number) => ({ round_id: id + 1 }) },
  { reason: 'already_predicted', of: (id: number) => ({ round_id: id }) },
] as const;

/** Of many at once, as at the edge of an hour: each lookup is one statement for all that wait for it. */
test.each(REFUSED)(`${GROUP} concurrent submissions refused as $reason share their lookups`, async (row) => {
  const round = (await service.request('GET', '/api/rounds/current')).body.round;
  const submit = async ({ key }: Player) => {
    const body = { prediction: round.choices[0], confidence: 50, ...row.of(round.id) };
    const headers = { 'idempotency-key': `${row.reason}-${key}` };
    return (await service.request('POST', '/api/predictions', { key, body, headers })).body;
  };
  await Promise.all(players.map(async (player) => predict(service, player)));
  const reasons: unknown[] = [];
  const statements = await statementsDuring(async () => {
    for (const { code } of await Promise.all(players.map(submit))) reasons.push(code);
  });
  expect(reasons).toEqual(players.map(() => row.reason));
  expect(statements.length).toBeLessThanOrEqual(GROUP);
});

const BOARD = 'subscription { leaderboardUpdated(period: alltime, limit: 10) { rankings { name totalPoints } } }';

const subscribe = () => hear<Record<string, unknown>>(socketClient(service.url), BOARD);

const ofBoards = (statements: readonly string[]): number =>
  statements.filter((text) => text.includes('board_places')).length;

test('an event runs as many statements for 40 subscribers as for one', async () => {
  await using stack = new AsyncDisposableStack();
  const subscribers = [stack.use(subscribe())];
  const onEvent = async (): Promise<number> => {
    await Promise.all(subscribers.map((subscriber) => subscriber.first(1)));
    const told = subscribers.map(({ items }) => items.length);
    const statements = await statementsDuring(async () => {
      await write(service, [{ kind: 'LEADERBOARD_CHANGED', roundId: null, payload: { periods: ['alltime'] } }]);
      service.nudge();
      await Promise.all(subscribers.map((subscriber, n) => subscriber.first((told[n] ?? 0) + 1)));
    });
    return ofBoards(statements);
  };
  const forOne = await onEvent();
  while (subscribers.length < 40) subscribers.push(stack.use(subscribe()));
  expect({ forOne, forAll: await onEvent() }).toEqual({ forOne: 1, forAll: 1 });
});
