import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { RoundQuote } from '../../src/entities/references.ts';
import type { Market } from '../../src/market/market.ts';
import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { HOUR, MINUTE } from '../../src/rules/hours.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { currentRound } from '../support/rounds.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';
import { rowsDuring } from './analysts/counted-statements.ts';

const PROBABILITIES = `at known probabilities { answer probability }`;
const PRICES = `at prices { asset priceUsd highUsd lowUsd }`;

const simulated = simulatedMarket();
let isSilent = false;
const sometimesSilent: Market = {
  ...simulated,
  pricesSoFar: (assets, hour, now) =>
    isSilent ? hour.times.map(() => null) : simulated.pricesSoFar(assets, hour, now),
};
let service: TestService;
let player: Player;

beforeAll(async () => {
  service = await startService({ prices: sometimesSilent, start: '2026-01-01T12:10:20Z' });
  player = await register(service, 'reader');
});
afterAll(() => service.stop());

function storedPoints(roundId: number): Promise<readonly number[]> {
  return service
    .newEm()
    .find(RoundQuote, { roundId }, { orderBy: { point: 'asc' } })
    .then((rows) => rows.map(({ point }) => point));
}

async function referenceIn(roundId: number, points?: number) {
  const argument = points === undefined ? '' : `(points: ${points})`;
  const parts = [PROBABILITIES, PRICES].map((fields) =>
    dataOf(service, `{ round(id: ${roundId}) { reference${argument} { ${fields} } } }`),
  );
  const [probabilities, prices] = (await Promise.all(parts)).map(({ round }) => round.reference);
  return probabilities.map((one: object, place: number) => ({ ...one, ...prices[place] }));
}

function get(path: string): Promise<Answer> {
  return service.request('GET', path);
}

describe('reference of a running round', () => {
  test('the reference has a point a minute until now, with a probability for every choice', async () => {
    const { id, choices, assets } = await currentRound(service);
    const found = await referenceIn(id);
    expect(found.map(({ at }: { at: string }) => at)).toEqual(
      Array.from({ length: 11 }, (_, minute) => `2026-01-01T12:${String(minute).padStart(2, '0')}:00.000Z`),
    );
    for (const { known, probabilities, prices } of found) {
      expect(known).toBe(true);
      expect(probabilities.map(({ answer }: { answer: string }) => answer)).toEqual(choices);
      const sum = probabilities.reduce((total: number, one: { probability: number }) => total + one.probability, 0);
      expect(sum).toBeCloseTo(1, 12);
      expect(prices.map(({ asset }: { asset: string }) => asset)).toEqual(Object.keys(assets));
    }
    expect(await storedPoints(id)).toEqual(Array.from({ length: 11 }, (_, minute) => minute * 4));
  });

  test('the reference has a point every 15 s on request, and refuses more', async () => {
    const { id } = await currentRound(service);
    const found = await referenceIn(id, 240);
    expect(found.map(({ at }: { at: string }) => at).slice(-2)).toEqual([
      '2026-01-01T12:10:00.000Z',
      '2026-01-01T12:10:15.000Z',
    ]);
    expect(found).toHaveLength(42);
    const { errors } = await ask(service, `{ round(id: ${id}) { reference(points: 241) { at } } }`);
    expect(errors[0]?.message).toBe('points must be a whole number from 1 to 240 (got 241).');
  });

  test('the reference has the market’s prices, the first of which is the open', async () => {
    const { id } = await currentRound(service);
    const [first, ...rest] = await referenceIn(id, 240);
    for (const { priceUsd, highUsd, lowUsd } of first.prices) expect([highUsd, lowUsd]).toEqual([priceUsd, priceUsd]);
    const { market } = await dataOf(service, `{ market { assets { symbol priceUsd } } }`);
    for (const { asset, priceUsd } of rest.at(-1).prices) {
      expect(typeof priceUsd).toBe('number');
      expect(market.assets.map(({ symbol }: { symbol: string }) => symbol)).toContain(asset);
    }
  });

  test('REST has the same reference with its covariance', async () => {
    const { id, choices } = await currentRound(service);
    const { status, body } = await get(`/api/rounds/${id}/reference?points=4`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ round_id: id, status: 'active', choices: [...choices] });
    expect(body.basis.covariance).toHaveLength(8);
    for (const row of body.basis.covariance) expect(row).toHaveLength(8);
    const [graph] = await referenceIn(id, 4);
    const prices = graph.prices.map((one: Record<string, unknown>) => ({
      asset: one['asset'],
      price_usd: one['priceUsd'],
      high_usd: one['highUsd'],
      low_usd: one['lowUsd'],
    }));
    expect(body.reference).toEqual([{ at: graph.at, known: true, probabilities: graph.probabilities, prices }]);
    expect(await get('/api/rounds/999/reference')).toMatchObject({
      status: 404,
      body: { error: 'There is no round 999.' },
    });
    expect((await get(`/api/rounds/${id}/reference?points=0`)).body.error).toBe(
      'points must be a whole number from 1 to 240 (got 0).',
    );
  });

  test('the reference is empty before the round starts', async () => {
    const { nextRound } = await dataOf(
      service,
      `{ nextRound { id referenceBasis { signBefore } reference { at } quotes { points } } }`,
    );
    expect(nextRound).toMatchObject({ referenceBasis: null, reference: [], quotes: { points: [] } });
    expect(await storedPoints(nextRound.id)).toEqual([]);
  });
});

describe('reference of a prediction', () => {
  test('a prediction’s reference is that of its grid point, also after the decision', async () => {
    service.clock.set('2026-01-01T12:41:59.500Z');
    const { id } = await currentRound(service);
    const { body } = await predict(service, player);
    const document = `{ predictions(agentId: ${player.id}) { nodes { id leadSeconds reference { answer probability } } } }`;
    const { predictions } = await dataOf(service, document);
    const [node] = predictions.nodes;
    expect(node).toMatchObject({ id: body.prediction.id, leadSeconds: 1080.5 });
    const whole = await referenceIn(id, 240);
    expect(whole.at(-1).at).toBe('2026-01-01T12:41:45.000Z');
    expect(node.reference).toEqual(whole.at(-1).probabilities);
    await service.nextHour();
    expect((await dataOf(service, document)).predictions.nodes).toEqual([node]);
  });
});

describe('reference of a decided round', () => {
  test('a decided round’s missing minutes are computed once, on request', async () => {
    const { id } = await currentRound(service);
    service.clock.set('2026-01-01T13:59:59.999Z');
    await predict(service, player);
    await referenceIn(id, 2);
    expect(await storedPoints(id)).toEqual([0, 120]);
    await service.nextHour();
    expect(await storedPoints(id)).not.toContain(4);
    await referenceIn(id);
    const stored = await storedPoints(id);
    expect(stored).toEqual([...Array.from({ length: 60 }, (_, minute) => minute * 4), 239]);
    expect((await referenceIn(id, 240)).map(({ at }: { at: string }) => at)).toEqual(
      stored.map((point) => new Date(Date.UTC(2026, 0, 1, 13, 0, 15 * point)).toISOString()),
    );
    expect(await storedPoints(id)).toEqual(stored);
    const { round } = await dataOf(service, `{ round(id: ${id}) { quotes { points prices highs lows } } }`);
    expect(round.quotes.points).toEqual(stored);
    for (const list of [round.quotes.prices, round.quotes.highs, round.quotes.lows])
      expect(list).toHaveLength(stored.length);
    expect((await referenceIn(id, 2)).map(({ at }: { at: string }) => at)).toEqual([
      '2026-01-01T13:00:00.000Z',
      '2026-01-01T13:30:00.000Z',
    ]);
  });

  test('prices and references agree whichever is read first', async () => {
    const { id } = await currentRound(service);
    await predict(service, player);
    await referenceIn(id, 1);
    await service.nextHour();
    const { round } = await dataOf(service, `{ round(id: ${id}) { quotes { points } reference(points: 240) { at } } }`);
    expect(round.quotes.points).toHaveLength(60);
    expect(round.reference).toHaveLength(60);
  });

  test('a prediction without a known price has no reference and never an edge', async () => {
    isSilent = false;
    service.clock.set(new Date(Math.ceil(service.clock.now().getTime() / HOUR) * HOUR - 30 * MINUTE));
    const { id } = await currentRound(service);
    await referenceIn(id, 1);
    isSilent = true;
    await predict(service, player);
    await service.nextHour();
    isSilent = false;
    const document = `{ round(id: ${id}) { reference { at } predictions { nodes { edge } } } }`;
    const { round } = await dataOf(service, document);
    expect(round.reference.map(({ at }: { at: string }) => Number(at.slice(14, 16)))).toEqual(
      Array.from({ length: 60 }, (_, minute) => minute).filter((minute) => minute !== 30),
    );
    expect(round.predictions.nodes).toEqual([{ edge: null }]);
  });
});

describe('stored prices of several rounds', () => {
  test('stored prices come as one row a round, for any number of points', async () => {
    const document = `{ rounds(first: 3, status: [resolved]) { nodes { id quotes { points prices highs lows } } } }`;
    await dataOf(service, document);
    let nodes: readonly { readonly id: number; readonly quotes: object }[] = [];
    const counts = await rowsDuring(async () => {
      nodes = (await dataOf(service, document)).rounds.nodes;
    });
    expect(nodes).toHaveLength(3);
    expect(Math.max(...counts)).toBe(3);
    for (const { id, quotes } of nodes) {
      const rows = await service.newEm().find(RoundQuote, { roundId: id }, { orderBy: { point: 'asc' } });
      expect(rows.length).toBeGreaterThan(10);
      expect(quotes).toEqual({
        points: rows.map(({ point }) => point),
        prices: rows.map(({ prices }) => prices),
        highs: rows.map(({ highs }) => highs),
        lows: rows.map(({ lows }) => lows),
      });
    }
  });
});
