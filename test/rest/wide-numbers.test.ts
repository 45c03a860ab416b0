import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, predict, registerMany } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';

/*
 * Ids of predictions, and totals of them, go on as numbers beyond 2^31 - 1, where the integers of PostgreSQL and of GraphQL
 * end.
 */
const LAST_NARROW = 2 ** 31 - 1;
const FIRST = LAST_NARROW + 1;

let service: TestService;
let players: readonly Player[];
let decided: number;
let running: number;

beforeAll(async () => {
  service = await startService();
  players = await registerMany(service, 'player', 4);
  ({ id: decided } = await currentRound(service));
  await execute(`select setval('predictions_id_seq', ${LAST_NARROW})`);
  await execute(`update platform set decided_predictions = ${LAST_NARROW}`);
  for (const player of players) expect((await predict(service, player)).status).toBe(201);
  await service.nextHour();
  ({ id: running } = await currentRound(service));
  for (const player of players) expect((await predict(service, player)).status).toBe(201);
});

afterAll(() => service?.stop());

const execute = (text: string) => service.newEm().getConnection().execute<{ n: string }[]>(text);
const get = async (path: string, player?: Player) => (await service.request('GET', path, { key: player?.key })).body;
const ask = async (query: string, variables = {}, key?: string) =>
  (await service.request('POST', '/graphql', { key, body: { query, variables } })).body.data;
const idsOf = (rows: readonly { id: number }[]): readonly number[] => rows.map(({ id }) => id);
const numbered = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, n) => from + n);

async function drawn(): Promise<unknown> {
  const [row] = await execute('select last_value as n from predictions_id_seq');
  return row?.n;
}

test('a refused repeat or a replay uses no id', async () => {
  const before = await drawn();
  const [player] = players;
  if (player === undefined) throw new Error('There are players');
  expect((await predict(service, player)).status).toBe(409);
  expect((await predict(service, player, { idempotencyKey: 'again' })).status).toBe(409);
  expect(await drawn()).toBe(before);
});

describe('over REST', () => {
  test('entries of a round are paged by ids beyond 32 bits', async () => {
    const { entries } = await get(`/api/rounds/${running}/entries`);
    expect(idsOf(entries)).toEqual(numbered(FIRST + 4, 4));
    const rest = await get(`/api/rounds/${running}/entries?after=${FIRST + 5}`);
    expect(idsOf(rest.entries)).toEqual(numbered(FIRST + 6, 2));
  });

  test('results of a decided round are paged by wide ids', async () => {
    const all = await get(`/api/rounds/${decided}/results`);
    const { predictions } = (
      await ask(`{ round(id: ${decided}) { predictions(orderBy: PLACE, first: 4) { nodes { id } } } }`)
    ).round;
    const rest = await get(`/api/rounds/${decided}/results?after=${predictions.nodes[1].id}`);
    expect(all.predictions).toHaveLength(4);
    expect(rest.predictions).toEqual(all.predictions.slice(2));
  });

  test('own predictions with wide ids are paged by cursors', async () => {
    const page = await get('/api/me/predictions?limit=1', players[0]);
    expect(idsOf(page.predictions)).toEqual([FIRST + 4]);
    const next = await get(`/api/me/predictions?limit=1&after=${page.next}`, players[0]);
    expect(idsOf(next.predictions)).toEqual([FIRST]);
  });

  test('totals exceed 32 bits', async () => {
    expect(await get('/api/stats')).toMatchObject({ total_predictions: LAST_NARROW + 8 });
  });

  test.each(['ndjson', 'csv'])('an export as %s has wide ids and continues after one', async (format) => {
    const answer = await fetch(`${service.url}/api/export/predictions.${format}?after=${FIRST + 5}`);
    const ids = (await answer.text()).match(/(?<=^(?:\{"id":)?)\d+/gm);
    expect(ids).toEqual([String(FIRST + 6), String(FIRST + 7)]);
  });

  test.each([
    [`/api/rounds/1/entries?after=${2 ** 53}`, 'after'],
    [`/api/export/predictions.csv?after=${2 ** 53}`, 'after'],
    [`/api/rounds/${FIRST}/entries`, 'round_id'],
    [`/api/agents/${FIRST}`, 'agent_id'],
  ])('%s with a number out of range is refused', async (path, name) => {
    expect(await service.request('GET', path)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(new RegExp(`^${name} must be`)) },
    });
  });

  test('an export of rounds continues after a number that no round has', async () => {
    expect(await get(`/api/export/rounds.ndjson?after=${FIRST}`)).toBe('');
  });
});

describe('over GraphQL, first and repeated', () => {
  const PAGE = `query ($round: Int!, $after: Int, $cursor: String) { round(id: $round) {
    entries(after: $after, limit: 2) { id confidence }
    predictions(first: 1, after: $cursor, orderBy: NEWEST) { nodes { id } edges { cursor } pageInfo { endCursor } } } }`;

  test('ids, arguments and cursors exceed 32 bits', async () => {
    for (let time = 0; time < 4; time += 1) {
      const { round } = await ask(PAGE, { round: running, after: FIRST + 4 });
      expect(idsOf(round.entries)).toEqual([FIRST + 5, FIRST + 6]);
      expect(idsOf(round.predictions.nodes)).toEqual([FIRST + 7]);
      const next = await ask(PAGE, { round: running, cursor: round.predictions.pageInfo.endCursor });
      expect(idsOf(next.round.predictions.nodes)).toEqual([FIRST + 6]);
      const written = await ask(`{ round(id: ${running}) { entries(after: ${FIRST + 6}) { id } } }`);
      expect(idsOf(written.round.entries)).toEqual([FIRST + 7]);
    }
  });

  test('all predictions, own and nested ones have wide ids', async () => {
    const document = `{ predictions(first: 3) { nodes { id round { entries(limit: 1) { id } } } }
      me { predictions(first: 5) { nodes { id } } recentPredictions { id } } stats { totalPredictions } }`;
    for (let time = 0; time < 3; time += 1) {
      const { predictions, me, stats } = await ask(document, {}, players[0]?.key);
      expect(idsOf(predictions.nodes)).toEqual([FIRST + 7, FIRST + 6, FIRST + 5]);
      expect(idsOf(predictions.nodes[0].round.entries)).toEqual([FIRST + 4]);
      expect(idsOf(me.recentPredictions)).toEqual([FIRST + 4, FIRST]);
      expect(me.predictions.nodes).toEqual(me.recentPredictions);
      expect(stats.totalPredictions).toBe(LAST_NARROW + 8);
    }
  });

  test('tallies of the whole field exceed 32 bits', async () => {
    await execute(`update field_tallies set alltime_n = ${FIRST}`);
    await execute(`update daily_tallies set n = ${FIRST}`);
    const { stats, breakdown } = await ask('{ stats { calibration { n bins { n } } } breakdown(by: [ANSWER]) { n } }');
    expect(stats.calibration.n).toBeGreaterThanOrEqual(FIRST);
    expect(stats.calibration.n % FIRST).toBe(0);
    expect(Math.max(...breakdown.map(({ n }: { n: number }) => n)) % FIRST).toBe(0);
  });

  test.each([
    `{ round(id: ${FIRST}) { id } }`,
    `{ agent(id: ${FIRST}) { id } }`,
    `{ agents(ids: [${FIRST}]) { nodes { id } } }`,
    `{ agents(ids: ${-FIRST - 1}) { nodes { id } } }`,
    `{ predictions(agentId: ${FIRST}) { nodes { id } } }`,
    `{ headToHead(a: 1, b: ${FIRST}) { n } }`,
    `{ rounds(first: ${FIRST}) { nodes { id } } }`,
    `{ leaderboard(limit: ${FIRST}) { period } }`,
    `{ leaderboard(orderBy: EDGE, minRounds: ${FIRST}) { period } }`,
    `{ schedule(hours: ${FIRST}) { startTime } }`,
    `{ breakdown(by: [ANSWER], agentId: ${FIRST}) { n } }`,
    `{ round(id: 1) { predictions(minConfidence: ${FIRST}) { nodes { id } } } }`,
    `{ round(id: 1) { entries(limit: ${FIRST}) { id } } }`,
    `{ round(id: 1) { entries(after: ${2 ** 53}) { id } } }`,
    `{ agent(id: 1) { pnlHistory(points: ${FIRST}) { value } } }`,
    `mutation { submitPrediction(roundId: ${FIRST}, prediction: "YES", confidence: 60) { id } }`,
  ])('other wide numbers are refused: %s', async (query) => {
    const { body } = await service.request('POST', '/graphql', { body: { query }, key: players[0]?.key });
    const codes = body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    expect(['BAD_REQUEST', 'GRAPHQL_VALIDATION_FAILED', 'QUERY_TOO_EXPENSIVE']).toEqual(expect.arrayContaining(codes));
    expect(service.reported).toEqual([]);
  });
});

test('a dashboard page shows rounds with wide ids, and an /mcp tool pages by them', async () => {
  expect(await (await fetch(`${service.url}/rounds/${running}`)).text()).toContain(`"id":${FIRST + 7},`);
  const named = { name: 'round_results', arguments: { round_id: decided, after: FIRST } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: named };
  const headers = { accept: 'application/json, text/event-stream' };
  const { body } = await service.request('POST', '/mcp', { body: message, headers });
  expect(body.result.content[0].text).toMatch(/"id":21474836\d\d,/);
});

test('a metric has the number of unused ids', async () => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const left = /^hourcast_ids_left\{of="predictions"\} (\d+)/m.exec(text)?.[1];
  expect(Number(left)).toBe(2 ** 53 - 1 - (FIRST + 7));
  expect(text).toMatch(/^hourcast_ids_left\{of="agents"\} 2147483643/m);
  expect(text).toMatch(/^hourcast_ids_left\{of="events"\} \d+/m);
});
