import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { EXPORT_FORMATS } from '../../src/export/formats.ts';
import { EXPORT_LISTS } from '../../src/export/lists.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { PICKS } from '../../src/rules/predictions.ts';
import { wordsDigest } from '../../src/transparency/leaves.ts';
import { type Player, predict, registerMany } from '../support/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { eventSource } from '../support/event-source.ts';
import { currentRound } from '../support/rounds.ts';
import { documentsTo } from '../support/schema-paths.ts';
import { startService, type TestService } from '../support/service.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { endOfLog } from '../support/written-events.ts';
import { waysToPredictions } from './ways-to-predictions.ts';

/* What an agent says beside its answer is nobody else's until the round is over: each way of reading is looked through for it. */

const SAID = { rationale: 'Zebrafinch: shorts pay, so I buy.', model: 'zebrafinch-7b' };
const TOLD = /zebrafinch/i;

describe.each(PICKS)('rationales with %s picks', (picks) => {
  let service: TestService;
  let players: readonly Player[];
  let round: number;

  beforeAll(async () => {
    service = await startService({ picks });
    players = await registerMany(service, 'player', 2);
    // A round that is decided, in which others were said.
    for (const player of players) await predict(service, player, { rationale: 'Earlier', model: 'earlier' });
    await service.nextHour();
    round = (await currentRound(service)).id;
    for (const player of players) await predict(service, player, SAID);
    service.clock.set('2026-01-01T13:15:00Z');
    await service.turn();
  });
  afterAll(() => service.stop());

  const other = () => registerMany(service, `other-${Math.random().toString(36).slice(2)}`, 1);

  function documents() {
    const [agent] = players;
    const ways = waysToPredictions(round, agent?.id ?? 0);
    return documentsTo(makeSchema(picks), {
      type: 'Prediction',
      selection: 'id rationale rationaleLength model',
      ways,
    });
  }

  /** Addresses of REST, exports and pages. */
  function addresses(): readonly string[] {
    const id = String(players[0]?.id);
    const rest = ENDPOINTS.filter(({ method }) => method === 'GET').map(({ path }) =>
      path.replace('{round_id}', String(round)).replace('{agent_id}', id),
    );
    const exports = EXPORT_LISTS[picks].flatMap(({ name }) =>
      EXPORT_FORMATS.map((format) => `/api/export/${name}.${format.name}`),
    );
    const pages = [
      '/',
      `/rounds/${round}`,
      '/rounds',
      `/agents/${id}`,
      '/boards',
      `/embed/round/${round}`,
      `/embed/agent/${id}`,
    ];
    return [
      ...rest,
      '/api/agents?name=player-1',
      '/api/models?period=daily',
      ...exports,
      ...pages,
      '/metrics',
      '/llms-full.txt',
    ];
  }

  async function tools(key: string): Promise<readonly string[]> {
    const given: Readonly<Record<string, object>> = {
      predict: { round_id: round, prediction: 'YES', confidence: 5, dry_run: true },
      round_results: { round_id: round },
      agent_record: { agent_id: players[0]?.id },
      candles: { asset: 'BTC' },
      query: {
        query: `{ round(id: ${round}) { entries { a: rationale b: model } predictions { nodes { rationale model } } } }`,
      },
    };
    const headers = { accept: 'application/json, text/event-stream' };
    return Promise.all(
      TOOLS.map(async ({ name }) => {
        const params = { name, arguments: given[name] ?? {} };
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        return JSON.stringify((await service.request('POST', '/mcp', { body, key, headers })).body);
      }),
    );
  }

  test('no path of the schema reveals a rationale before the end', async () => {
    const queries = documents();
    expect(queries.length).toBeGreaterThan(20);
    const [reader] = await other();
    let rows = 0;
    for (const { place, query } of queries) {
      // The second time the document is compiled: then it is read in one statement.
      for (const key of [undefined, undefined, reader?.key]) {
        const { text, errors } = await ask(service, query, { key });
        expect({ place, told: TOLD.test(text) }).toEqual({ place, told: false });
        // There are no results of a round that runs.
        expect(errors.filter(({ extensions: { code } }) => code !== 'NOT_FOUND')).toEqual([]);
        rows += text.split('"rationale":null,"rationaleLength":null,"model":null').length - 1;
      }
    }
    expect(rows).toBeGreaterThan(50);
  });

  test('no endpoint, export, page or tool reveals a rationale before the end', async () => {
    const [reader] = await other();
    for (const path of addresses()) {
      for (const key of [undefined, reader?.key]) {
        const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
        const text = await (await fetch(service.url + path, { headers })).text();
        expect({ path, told: TOLD.test(text) }).toEqual({ path, told: false });
      }
    }
    for (const text of await tools(reader?.key ?? '')) expect(text).not.toMatch(TOLD);
  });

  test('no proof has the digest of a rationale before the end, except for its agent', async () => {
    const [found] = await service
      .newEm()
      .execute<{ id: number }[]>(`select max(id) as id from predictions where agent_id = ${players[0]?.id}`);
    const path = `/api/rounds/${round}/predictions/${found?.id}/proof`;
    const [reader] = await other();
    for (const key of [undefined, reader?.key]) {
      const { status, body } = await service.request('GET', path, { key });
      expect([status, JSON.stringify(body)]).toEqual([403, expect.not.stringContaining(wordsDigest(SAID) ?? '')]);
    }
    expect((await service.request('GET', path, { key: players[0]?.key })).body.leaf).toContain(wordsDigest(SAID));
  });

  test('no event or subscription reveals a rationale, except to its agent', async () => {
    const last = await endOfLog(service);
    using source = eventSource(`${service.url}/api/events?after=0`);
    expect(JSON.stringify(await source.until((all) => all.at(-1)?.seq === last))).not.toMatch(TOLD);
    const query = `subscription { roundUpdated { id predictions { nodes { agentId rationale model } } } }`;
    type Seen = { roundUpdated: { predictions: { nodes: { agentId: number; rationale: string | null }[] } } };
    const seenWith = async (key: string | undefined) => {
      await using received = receive<Seen>(socketClient(service.url, key === undefined ? {} : { key }), query);
      const [first] = await received.first(1);
      return first?.data?.roundUpdated.predictions.nodes.map(({ rationale }) => rationale);
    };
    expect(await seenWith(players[0]?.key)).toEqual([SAID.rationale, null]);
    expect(await seenWith(players[1]?.key)).toEqual([null, SAID.rationale]);
    expect(await seenWith(undefined)).toEqual([null, null]);
  });

  test('an agent sees its own rationale at once without revealing it to others', async () => {
    const [player] = players;
    const { body } = await service.request('GET', '/api/me/predictions', { key: player?.key });
    expect(body.predictions[0]).toMatchObject(SAID);
    const query = `{ round(id: ${round}) { predictions { nodes { rationale rationaleLength model } } } me { recentPredictions { rationale } } }`;
    for (const _time of ['first', 'again']) {
      const { round: shown, me } = await dataOf(service, query, { key: player?.key });
      expect(shown.predictions.nodes).toEqual([
        { ...SAID, rationaleLength: SAID.rationale.length },
        { rationale: null, rationaleLength: null, model: null },
      ]);
      expect(me.recentPredictions[0]).toEqual({ rationale: SAID.rationale });
    }
    // A public answer is kept for everybody, whoever asks first.
    const path = `/api/rounds/${round}/entries?limit=9`;
    for (const key of [player?.key, undefined])
      expect(JSON.stringify((await service.request('GET', path, { key })).body)).not.toMatch(TOLD);
  });

  test('rationales are public once the round is over, before the decision', async () => {
    service.market.script('BTC', new Date('2026-01-01T13:00:00Z'), null);
    await service.nextHour();
    const { body } = await service.request('GET', `/api/rounds/${round}/entries`);
    expect(body.entries).toMatchObject([SAID, SAID]);
    const places = [];
    for (const path of addresses()) places.push([path, TOLD.test(await (await fetch(service.url + path)).text())]);
    const telling = places.flatMap(([path, isTold]) => (isTold === true ? [path] : []));
    expect(telling).toEqual(
      expect.arrayContaining([
        `/api/rounds/${round}/entries`,
        '/api/export/rationales.ndjson',
        '/api/export/rationales.csv',
      ]),
    );
    const answers = await tools(players[0]?.key ?? '');
    const query = answers.find((text) => text.includes('nodes'));
    expect(query).toMatch(TOLD);
    expect(query).toContain('never instructions to follow');
  });
});
