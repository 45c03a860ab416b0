import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { Event } from '../../src/entities/event.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { type Player, predict, registerMany } from '../support/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { currentRound, type CurrentRound, firstOf, secondOf } from '../support/rounds.ts';
import { documentsTo } from '../support/schema-paths.ts';
import { startService, type TestService } from '../support/service.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { waysToPredictions } from './ways-to-predictions.ts';

/** Two services that differ in nothing but what their agents answer in the running round. */
let one: TestService;
let other: TestService;
let players: readonly Player[];
let round: CurrentRound;

beforeAll(async () => {
  one = await startService({ picks: 'sealed' });
  other = await startService({ picks: 'sealed' });
  players = await played(one, { first: firstOf, second: secondOf, confidences: [37, 91] });
  await played(other, { first: secondOf, second: secondOf, confidences: [83, 12] });
  round = await currentRound(one);
});

afterAll(async () => {
  await one.stop();
  await other.stop();
});

interface Picks {
  readonly first: (choices: readonly string[]) => string;
  readonly second: (choices: readonly string[]) => string;
  readonly confidences: readonly [number, number];
}

/** A round that is decided and alike, and one that runs. */
async function played(service: TestService, { first, second, confidences }: Picks): Promise<readonly Player[]> {
  const agents = await registerMany(service, 'player', 2);
  for (const agent of agents) await predict(service, agent, { confidence: 55 });
  await service.nextHour();
  const { choices } = await currentRound(service);
  const predictions = [first(choices), second(choices)];
  for (const [at, agent] of agents.entries())
    await predict(service, agent, { prediction: predictions[at], confidence: confidences[at] });
  // By then a forecast is recorded, and another one could be worked out.
  service.clock.set('2026-01-01T13:15:00Z');
  await service.turn();
  return agents;
}

const FORECASTS = 'forecast { entries probabilities { probability } } forecasts { minute entries }';

function documents() {
  const schema = makeSchema('sealed');
  const ways = waysToPredictions(round.id, players[0]?.id ?? 0);
  const picks = documentsTo(schema, { type: 'Prediction', selection: 'id prediction confidence', ways });
  const rounds = ['crowd { n } crowdHistory { n }', FORECASTS].flatMap((selection) =>
    documentsTo(schema, { type: 'Round', selection: `id ${selection}`, ways }),
  );
  const stats = { place: 'Query.stats', query: '{ stats { avgConfidence totalPredictions activeEntries } }' };
  return [...picks, ...rounds, ...narrowed(), stats];
}

/** Every list of predictions, narrowed by what is sealed. */
function narrowed() {
  const filters = [
    ...round.choices.map((choice) => `prediction: "${choice}"`),
    'minConfidence: 50',
    'maxConfidence: 50',
    'minConfidence: 30, maxConfidence: 40',
  ];
  return filters.flatMap((filter) => {
    const nodes = '{ nodes { id prediction confidence } pageInfo { hasNextPage endCursor } }';
    const window = 'from: "2026-01-01T00:00:00Z"';
    return [
      `{ predictions(${filter}, ${window}) ${nodes} }`,
      `{ predictions(${filter}, agentId: ${players[0]?.id}) ${nodes} }`,
      `{ round(id: ${round.id}) { predictions(${filter}) ${nodes} } }`,
      `{ agent(id: ${players[0]?.id}) { predictions(${filter}) ${nodes} } }`,
    ].map((query) => ({ place: query, query }));
  });
}

describe('sealed picks during the round', () => {
  test('no path or filter of the schema reveals a sealed pick', async () => {
    const queries = documents();
    expect(queries.length).toBeGreaterThan(50);
    let rows = 0;
    for (const { place, query } of queries) {
      // The second time the document is compiled: then it is read in one statement.
      for (const time of ['first', 'again']) {
        const [answer, otherwise] = [await ask(one, query), await ask(other, query)];
        expect({ place, time, text: answer.text }).toEqual({ place, time, text: otherwise.text });
        // There are no results of a round that runs.
        const faults = answer.errors.filter(({ extensions: { code } }) => code !== 'NOT_FOUND');
        expect({ place, faults }).toEqual({ place, faults: [] });
        rows += answer.text.split('"prediction":null,"confidence":null').length - 1;
      }
    }
    expect(rows).toBeGreaterThan(50);
  });

  test('no endpoint reveals a sealed pick', async () => {
    // Each database has a service key of its own.
    const others = ['me', 'serviceKeys'];
    const paths = ENDPOINTS.filter(({ method, limit }) => method === 'GET' && !others.includes(limit)).map(({ path }) =>
      path.replace('{round_id}', String(round.id)).replace('{agent_id}', String(players[0]?.id)),
    );
    for (const path of paths) {
      const [answer, otherwise] = [await one.request('GET', path), await other.request('GET', path)];
      expect({ path, ...answer, headers: null }).toEqual({ path, ...otherwise, headers: null });
    }
    for (const path of ['predictions.csv', 'predictions.ndjson', 'rounds.ndjson', 'forecasts.ndjson']) {
      const [answer, otherwise] = await Promise.all(
        [one, other].map(async ({ url }) => (await fetch(`${url}/api/export/${path}`)).text()),
      );
      expect({ path, told: answer }).toEqual({ path, told: otherwise });
    }
    const [event] = await one.newEm().find(Event, { kind: 'FORECAST' });
    expect(event?.payload).toEqual({ minute: 15, entries: 2 });
    expect((await one.request('GET', '/api/forecast')).body.probabilities).toBeNull();
    expect((await one.request('GET', `/api/rounds/${round.id}/forecast`)).body.checkpoints).toEqual([]);
    const { body } = await one.request('GET', `/api/rounds/${round.id}/entries`);
    expect(body.entries).toMatchObject([
      { agent_name: 'player-1', prediction: null, confidence: null },
      { agent_name: 'player-2', prediction: null, confidence: null },
    ]);
  });

  test('an agent sees its own sealed pick without revealing it to others', async () => {
    const [player] = players;
    const own = { prediction: firstOf(round.choices), confidence: 37 };
    const hidden = { prediction: null, confidence: null };
    const { body } = await one.request('GET', '/api/me', { key: player?.key });
    expect(body.recent_predictions[0]).toMatchObject(own);
    // A public answer is kept for everybody, whoever asks first.
    const path = `/api/rounds/${round.id}/entries?limit=7`;
    expect((await one.request('GET', path, { key: player?.key })).body.entries[0]).toMatchObject(hidden);
    expect((await one.request('GET', path)).body.entries[0]).toMatchObject(hidden);
    const query = `{ round(id: ${round.id}) { predictions { nodes { agentId prediction confidence } } } }`;
    for (const _time of ['first', 'again']) {
      const { round: shown } = await dataOf(one, query, { key: player?.key });
      expect(shown.predictions.nodes).toMatchObject([own, hidden]);
    }
  });

  test('a subscriber sees its own sealed pick, one without a key none', async () => {
    const [player] = players;
    const query = `subscription { roundUpdated { id predictions { nodes { prediction } } } }`;
    type Seen = { roundUpdated: { predictions: { nodes: { prediction: string | null }[] } } };
    const seenWith = async (key: string | undefined) => {
      await using received = receive<Seen>(socketClient(one.url, key === undefined ? {} : { key }), query);
      const [first] = await received.first(1);
      return first?.data?.roundUpdated.predictions.nodes.map(({ prediction }) => prediction);
    };
    expect(await seenWith(player?.key)).toEqual([firstOf(round.choices), null]);
    expect(await seenWith(undefined)).toEqual([null, null]);
  });

  test('health has the setting of picks', async () => {
    expect((await one.request('GET', '/api/health')).body.picks).toBe('sealed');
  });
});

test('sealed picks are public once the round is over, before the decision', async () => {
  one.market.script('BTC', new Date('2026-01-01T13:00:00Z'), null);
  await one.nextHour();
  const { body } = await one.request('GET', `/api/rounds/${round.id}/entries`);
  expect(body.entries).toMatchObject([
    { prediction: firstOf(round.choices), confidence: 37 },
    { prediction: secondOf(round.choices), confidence: 91 },
  ]);
  const { checkpoints } = (await one.request('GET', `/api/rounds/${round.id}/forecast`)).body;
  expect(checkpoints).toMatchObject([{ minute: 15, entries: 2 }]);
  const query = `{ predictions(minConfidence: 90, from: "2026-01-01T00:00:00Z") { nodes { confidence round { crowd { n } } } } }`;
  expect((await dataOf(one, query)).predictions.nodes).toEqual([{ confidence: 91, round: { crowd: { n: 2 } } }]);
});
