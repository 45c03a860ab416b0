import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { RECIPES } from '../../src/mcp/recipes.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { type Player, register } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let firstRound: number;
beforeAll(async () => {
  service = await startService({ prices: simulatedMarket() });
  firstRound = (await currentRound(service)).id;
  await service.nextHour();
});
afterAll(() => service.stop());

type Mode = 'legacy' | 'auto';

/** The official client. In the mode `legacy` its messages are those of version 1 of the SDK. */
async function connect(mode: Mode, key?: string): Promise<Client> {
  const client = new Client({ name: 'session', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
  return client;
}

/** The answer that a model reads, and whether it is a refusal. */
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: given });
  await expectJudgedGood(client, name, result);
  const { content, isError = false } = result;
  const [first] = content;
  if (first?.type !== 'text') throw new Error(`${name} must answer with text`);
  return { isError, body: JSON.parse(first.text) };
}

/**
 * Clients of version 1 hold whatever is structured to the schema of the tool, refusals too, and ask an answer for it that is none;
 * those of version 2 look at answers alone.
 */
async function expectJudgedGood(
  client: Client,
  name: string,
  { structuredContent, isError }: { readonly structuredContent?: unknown; readonly isError?: boolean | undefined },
): Promise<void> {
  const { tools } = await client.listTools();
  const schema = Object(tools.find((tool) => tool.name === name)?.outputSchema);
  const isGood = structuredContent === undefined ? isError === true : AJV.validate(schema, structuredContent);
  expect({ name, isGood, errors: AJV.errors ?? null }).toEqual({ name, isGood: true, errors: null });
}

const AJV = new Ajv2020({ strict: false, validateFormats: false });

const WRONG_KEY = `pk_live_${'0'.repeat(48)}`;

describe.each([
  { generation: '2025', mode: 'legacy' },
  { generation: '2026', mode: 'auto' },
] as const)('agent of protocol $generation', ({ generation, mode }) => {
  let player: Player;
  let client: Client;
  beforeAll(async () => {
    player = await register(service, `agent-${generation}`);
    client = await connect(mode, player.key);
  });
  afterAll(() => client.close());

  test('the client negotiates its generation of the protocol', () => {
    expect(client.getNegotiatedProtocolVersion()?.startsWith(generation)).toBe(true);
  });

  test('the client lists every tool with its annotations', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const predict = tools.find(({ name }) => name === 'predict');
    expect(predict?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
    expect(predict?.inputSchema).toMatchObject({ required: ['round_id', 'prediction', 'confidence'] });
    const others = tools.filter(({ name }) => name !== 'predict' && name !== 'set_standing');
    expect(others.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  test('each tool’s result fits its output schema', async () => {
    const { tools } = await client.listTools();
    const { id } = await currentRound(service);
    const given: Readonly<Record<string, Record<string, unknown>>> = {
      candles: { asset: 'BTC', hours: 2 },
      predict: { round_id: id, prediction: (await currentRound(service)).choices[0], confidence: 60, dry_run: true },
      set_standing: { rows: [{ question_type: 'podium', prediction: ['BTC', 'ETH'], confidence: 40 }] },
      round_results: { round_id: firstRound },
      query: { query: '{ health { status } }' },
    };
    for (const { name, outputSchema } of tools) {
      const { isError } = await call(client, name, given[name]);
      const fitsAnything = AJV.validate(Object(outputSchema), {});
      expect({ name, isError, fitsAnything }).toEqual({ name, isError: false, fitsAnything: false });
    }
  });

  test('current_round has price, crowd and the hour’s moves', async () => {
    const { body } = await call(client, 'current_round');
    const briefing = (await service.request('GET', '/api/briefing')).body;
    const { price, crowd, hour } = briefing;
    expect(body).toMatchObject({ price, crowd, hour });
    expect(Object.keys(body.price.probabilities)).toEqual(body.round.choices);
  });

  test('briefing has everything in one call, with the agent’s own mistakes', async () => {
    const { body } = await call(client, 'briefing');
    expect(body).toEqual((await service.request('GET', '/api/briefing', { key: player.key })).body);
    expect(body.mistakes).toEqual([]);
  });

  test('the prompt leads through an hour', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['forecast_this_hour']);
    const { messages } = await client.getPrompt({ name: 'forecast_this_hour' });
    const [{ content } = { content: null }] = messages;
    const text = content?.type === 'text' ? content.text : '';
    const named = [...text.matchAll(/Call `(\w+)`/g)].map(([, name]) => name);
    expect(named).toEqual(['briefing', 'predict']);
  });

  test.each(RECIPES.map(({ asks, query }) => [asks, query] as const))(
    'the query of the recipe is answered: %s',
    async (_, query) => {
      expect(await call(client, 'query', { query })).toMatchObject({
        isError: false,
        body: { data: expect.anything() },
      });
    },
  );

  test('instructions and the refusal without a key explain how to get one', async () => {
    expect(client.getInstructions()).toMatch(/POST \/api\/agents\/register/);
    const stranger = await connect(mode);
    const { id, choices } = await currentRound(service);
    const { body } = await call(stranger, 'predict', { round_id: id, prediction: choices[0], confidence: 70 });
    await stranger.close();
    expect(body).toMatchObject({ code: 'missing_key', error: expect.stringMatching(/POST \/api\/agents\/register/) });
  });

  test('candles returns complete hours', async () => {
    const { body } = await call(client, 'candles', { asset: 'BTC', hours: 3 });
    expect(body).toEqual((await service.request('GET', '/api/data/candles?asset=BTC&hours=3')).body);
  });

  test('predict accepts one answer, and refuses a second with the message of REST', async () => {
    const { body } = await call(client, 'current_round');
    expect(body.round).toEqual((await service.request('GET', '/api/rounds/current')).body.round);
    expect(body.forecast).toEqual((await service.request('GET', '/api/forecast')).body);
    expect(Object.keys(body.forecast.price)).toEqual(body.round.choices);
    const { id, choices } = body.round;
    const answer = { round_id: id, prediction: choices[0], confidence: 70 };
    expect(await call(client, 'predict', { ...answer, dry_run: true })).toMatchObject({ isError: false });
    const first = await call(client, 'predict', answer);
    expect(first).toMatchObject({ isError: false, body: { success: true, prediction: answer } });
    expect(await call(client, 'predict', answer)).toEqual(first);

    const changed = { ...answer, confidence: 71 };
    const overRest = await service.request('POST', '/api/predictions', { key: player.key, body: changed });
    expect(overRest.status).toBe(409);
    expect(await call(client, 'predict', changed)).toMatchObject({
      isError: true,
      body: overRest.body,
    });
  });

  test('predict refuses an invalid key', async () => {
    const stranger = await connect(mode, WRONG_KEY);
    const { id, choices } = await currentRound(service);
    const answer = { round_id: id, prediction: choices[0], confidence: 70 };
    const { isError, body } = await call(stranger, 'predict', answer);
    await stranger.close();
    expect({ isError, ...body }).toMatchObject({ isError: true, error: expect.stringMatching(/valid API key/) });
  });

  test('agent_record returns the own record by key, and others by id or name', async () => {
    const own = (await call(client, 'agent_record')).body.agent;
    expect(own).toMatchObject({ name: player.name, rank: null, mode: 'compete', sim_pnl_7d: 0 });
    for (const given of [{ agent_id: player.id }, { name: player.name }]) {
      const { body } = await call(client, 'agent_record', given);
      expect(body.agent).toMatchObject({ id: player.id, name: player.name });
      for (const kept of ['rank', 'mode', 'sim_pnl_7d']) expect(body.agent).not.toHaveProperty(kept);
    }
    const nulls = await call(client, 'agent_record', { agent_id: null, name: player.name });
    expect(nulls.body.agent.id).toBe(player.id);
    expect((await call(client, 'agent_record', { name: null })).body.agent).toEqual(own);
    const both = await call(client, 'agent_record', { agent_id: player.id, name: 'somebody-else' });
    expect(both.body.error).toBe('name must be absent beside agent_id (got "somebody-else").');
  });

  test('query returns data, and the errors of a document', async () => {
    const query = 'query ($id: Int!) { agent(id: $id) { name } }';
    expect(await call(client, 'query', { query, variables: { id: player.id } })).toEqual({
      isError: false,
      body: { data: { agent: { name: player.name } } },
    });
    const wrong = await call(client, 'query', { query: '{ agnt { name } }' });
    expect(wrong).toMatchObject({ isError: true, body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] } });
  });

  test('the resources have the rules, the schema and a round', async () => {
    const { id } = await currentRound(service);
    const read = async (uri: string): Promise<string> => {
      const [first] = (await client.readResource({ uri })).contents;
      return first !== undefined && 'text' in first ? first.text : '';
    };
    expect(await read('hourcast://rules')).toMatch(/Confidence 80-100: 100 if right, -50 if wrong/);
    expect(await read('hourcast://rules')).toMatch(
      /places 1-10 of a round get 200 arena points each, place 1 gets 500 more\./,
    );
    expect(await read('hourcast://rules')).toMatch(
      /- `touch`: Whether the price reaches a threshold .+ Answer `YES` or `NO`/,
    );
    expect(await read('hourcast://recipes')).toContain('```graphql');
    expect(await read('hourcast://schema')).toMatch(/^type Query \{/m);
    const { body } = await service.request('GET', `/api/rounds/${id}`);
    expect(JSON.parse(await read(`hourcast://rounds/${id}`))).toEqual(body);
    await expect(client.readResource({ uri: 'hourcast://rounds/999' })).rejects.toThrow(/There is no round 999/);
  });
});

describe('tools', () => {
  test.each([
    ['round_results', { round_id: 'one' }, /^round_id must be a whole number .*\(got "one"\)\.$/],
    ['round_results', {}, /^round_id is required/],
    ['candles', {}, /^asset is required\. It must be one of BTC, ETH, .+, DOT\.$/],
    ['leaderboard', { period: 'yearly' }, /^period must be one of daily, weekly, monthly, alltime/],
    [
      'leaderboard',
      { lmit: 3 },
      /^leaderboard accepts period, limit, order_by, min_rounds, question_type, asset \(got "lmit"\)\.$/,
    ],
    ['query', { query: '{ __schema { types { name } } }' }, /hourcast:\/\/schema/],
    ['query', { query: 'mutation { rotateKey { apiKey } }' }, /one query, no mutation/],
    ['query', {}, /^query must be text/],
  ])('the tool %s given %j returns the requirement', async (name, given, sentence) => {
    const client = await connect('auto');
    const { isError, body } = await call(client, name, given);
    await client.close();
    expect({ isError, ...body }).toMatchObject({ isError: true, error: expect.stringMatching(sentence) });
  });
});
