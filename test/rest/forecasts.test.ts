import { describe, expect, test } from '@jest/globals';

import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { CANDIDATES } from '../../src/rules/forecast/candidates.ts';
import { addHours, hourOf, MINUTE } from '../../src/rules/hours.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { predict, registerMany, type Player } from '../support/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { currentRound } from '../support/rounds.ts';
import { shared, sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ prices: simulatedMarket(), start: '2026-01-01T12:00:00Z', adminToken: TOKEN }));
const players = shared(async () => ({ all: await registerMany(service, 'player', 3) }));

async function moveTo(minute: number): Promise<void> {
  service.clock.set(new Date(hourOf(service.clock.now()).getTime() + minute * MINUTE));
  await service.turn();
}

async function predictAll(agents: readonly Player[] = players.all): Promise<void> {
  for (const [place, agent] of agents.entries()) {
    expect((await predict(service, agent, { confidence: 60 + 10 * place })).status).toBe(201);
  }
}

async function get(path: string) {
  const { status, body } = await service.request('GET', path);
  return { status, body };
}

function sumOf(vector: Readonly<Record<string, number>>): number {
  return Object.values(vector).reduce((sum, one) => sum + one, 0);
}

/** In the order of time: each test goes on where the one before ended. */
describe('forecast over REST', () => {
  test('the forecast is the price, without a crowd, before the first prediction', async () => {
    await moveTo(1);
    const round = await currentRound(service);
    const { body } = await get('/api/forecast');
    expect(body).toMatchObject({ round_id: round.id, rules_version: 2, entries: 0, crowd: null, known: true });
    expect(body.at).toBe('2026-01-01T12:01:00.000Z');
    expect(Object.keys(body.probabilities)).toEqual(round.choices);
    for (const answer of round.choices) expect(body.probabilities[answer]).toBeCloseTo(body.price[answer], 9);
  });

  test('the forecast includes predictions before its grid point, and continues with the price', async () => {
    await predictAll();
    expect((await get('/api/forecast')).body.entries).toBe(0);
    await moveTo(5);
    const { body } = await get('/api/forecast');
    expect(body.entries).toBe(3);
    const [first = ''] = Object.keys(body.crowd);
    expect(body.crowd[first]).toBeCloseTo(0.7, 12);
    expect(body.probabilities[first]).toBeGreaterThan(body.price[first]);
    expect(sumOf(body.probabilities)).toBeCloseTo(1, 12);
  });

  test('the recorded forecast of a minute equals the one served at that minute', async () => {
    const now = (await get('/api/forecast')).body;
    const { body } = await get(`/api/rounds/${now.round_id}/forecast`);
    const [recorded] = body.checkpoints;
    expect(body.missed).toEqual([]);
    for (const name of ['entries', 'probabilities', 'price', 'crowd', 'known'])
      expect(recorded[name]).toEqual(now[name]);
    expect(recorded).toMatchObject({
      minute: 5,
      recorded_at: '2026-01-01T12:05:00.000Z',
      brier: null,
      price_brier: null,
    });
    expect(recorded.candidates.map(({ name }: { name: string }) => name)).toEqual(CANDIDATES);
    expect(recorded.price_weight).toBe(0.5);
  });

  test('a resolved round’s forecast has Brier scores and the missed checkpoints', async () => {
    const { id, choices } = await currentRound(service);
    await moveTo(30);
    await service.nextHour();
    const { body } = await get(`/api/rounds/${id}/forecast`);
    expect(body.missed).toEqual([15, 45, 55]);
    expect(body.checkpoints.map(({ minute }: { minute: number }) => minute)).toEqual([5, 30]);
    const { outcome } = (await get(`/api/rounds/${id}`)).body.round;
    for (const one of body.checkpoints) {
      const brier = choices.reduce(
        (sum, answer) => sum + (one.probabilities[answer] - Number(answer === outcome)) ** 2,
        0,
      );
      expect(one.brier).toBeCloseTo(brier, 12);
    }
  });

  test('the record covers resolved rounds of a window, beside price and crowd', async () => {
    const { body } = await get('/api/forecast/record?period=daily');
    expect(body).toMatchObject({ rules_version: 2, period: 'daily' });
    expect(body.checkpoints.map(({ minute, rounds }: Record<string, number>) => [minute, rounds])).toEqual([
      [5, 1],
      [15, 0],
      [30, 1],
      [45, 0],
      [55, 0],
    ]);
    const [first, second] = body.checkpoints;
    expect(first.total_brier).toBe(first.brier);
    expect(first.edge).toEqual({ mean: first.price_brier - first.brier, low: null, high: null, n: 1 });
    expect(CANDIDATES).toContain(first.best_candidate);
    expect(second).toMatchObject({ brier: null, edge: null, total_brier: 0, best_candidate: null });
  });

  test('the record of a question type or an asset covers its rounds alone', async () => {
    const [{ question_type: type = '' } = {}] = (await get('/api/rounds/recent')).body.rounds;
    const roundsOf = async (query: string): Promise<number> =>
      (await get(`/api/forecast/record?${query}`)).body.checkpoints[0].rounds;
    expect(await roundsOf(`question_type=${type}`)).toBe(1);
    expect(await roundsOf(`question_type=${type === 'touch' ? 'range' : 'touch'}`)).toBe(0);
    const refused = await get(`/api/forecast/record?question_type=touch&asset=BTC`);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe(
      'A record can be filtered either by question_type or by asset (got touch and BTC).',
    );
    expect((await get('/api/forecast/record?asset=XRP')).body.error).toMatch(/^asset must be one of BTC, ETH/);
  });

  test('an unknown window or round is refused with the accepted values', async () => {
    const window = await get('/api/forecast/record?period=yearly');
    expect(window.status).toBe(400);
    expect(JSON.stringify(window.body)).toMatch(/daily, weekly, monthly/);
    expect((await get('/api/rounds/999/forecast')).status).toBe(404);
  });
});

async function linesOf(path: string) {
  const text = await (await fetch(service.url + path)).text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('exports', () => {
  test('the export of forecasts has each recorded one, with inputs and scores', async () => {
    const rows = await linesOf('/api/export/forecasts.ndjson?round_id=1');
    expect(rows.map(({ id, minute }) => [id, minute])).toEqual([
      [65, 5],
      [90, 30],
    ]);
    const { checkpoints } = (await get('/api/rounds/1/forecast')).body;
    const [resolved] = await linesOf('/api/export/rounds.ndjson');
    for (const [place, row] of rows.entries()) {
      const { probabilities, price, crowd, candidates, price_weight, brier, price_brier } = checkpoints[place];
      const vectors = { probabilities, price, crowd };
      for (const [name, vector] of Object.entries(vectors)) expect(row[name]).toEqual(Object.values(vector));
      expect(row.best).toEqual(Object.values(candidates[6].probabilities));
      expect(row.weights[0]).toBe(price_weight);
      const question = { question_type: resolved.question_type, start_time: resolved.start_time };
      expect(row).toMatchObject({ ...question, brier, price_brier, round_status: 'resolved', entries: 3 });
    }
    expect(await linesOf('/api/export/forecasts.ndjson?after=65&round_id=1')).toEqual([rows[1]]);
  });

  test('the export of rounds has the last recorded forecast, or null', async () => {
    const [first, second] = await linesOf('/api/export/rounds.ndjson');
    const [, last] = await linesOf('/api/export/forecasts.ndjson?round_id=1');
    expect(first).toMatchObject({
      forecast_minute: 30,
      forecast: last.probabilities,
      price: last.price,
      crowd: last.crowd,
    });
    expect(second).toMatchObject({ forecast_minute: null, forecast: null, price: null, crowd: null });
  });
});

describe('forecast over GraphQL', () => {
  test('a checkpoint’s forecast is null if missed; the present one exists while the round runs', async () => {
    const fields = '{ minute entries brier }';
    const data = await dataOf(
      service,
      `{ round(id: 1) { five: forecast(minute: 5) ${fields} missed: forecast(minute: 45) ${fields} now: forecast ${fields} }
        currentRound { forecast ${fields} } }`,
    );
    expect(data).toMatchObject({
      round: { five: { minute: 5, entries: 3 }, missed: null, now: null },
      currentRound: { forecast: { minute: null, entries: 0, brier: null } },
    });
  });

  test('the forecast refuses the minute 60', async () => {
    const { errors } = await ask(service, '{ round(id: 1) { forecast(minute: 60) { entries } } }');
    expect(errors[0]?.message).toBe('minute must be a whole number from 0 to 59 (got 60).');
  });

  test('the forecast of any past minute is bit-identical after the decision; future minutes have none', async () => {
    const { id } = await currentRound(service);
    const shown =
      '{ minute at recordedAt known entries priceWeight probabilities { probability } candidates { name weight } }';
    const minutes = `{ round(id: ${id}) { status first: forecast(minute: 0) ${shown} before: forecast(minute: 31) ${shown}
      after: forecast(minute: 33) ${shown} ahead: forecast(minute: 41) ${shown} } }`;
    await moveTo(32);
    await predictAll();
    await moveTo(40);
    const { round: running } = await dataOf(service, minutes);
    expect(running).toMatchObject({
      status: 'active',
      first: { entries: 0 },
      before: { entries: 0, minute: null, recordedAt: null, known: true },
      after: { entries: 3, known: true },
      ahead: null,
    });
    await moveTo(62);
    const { round: decided } = await dataOf(service, minutes);
    expect(decided).toMatchObject({ status: 'resolved', ahead: { entries: 3 } });
    expect({ ...decided, status: null, ahead: null }).toEqual({ ...running, status: null });
  });
});

test('a decision within an hour changes the weights from then on', async () => {
  service.clock.set(addHours(hourOf(service.clock.now()), 1));
  await service.turn();
  await moveTo(6);
  const { currentRound: round } = await dataOf(service, '{ currentRound { forecast { priceWeight decidedUntil } } }');
  expect(round.forecast.priceWeight).not.toBe(0.5);
});

test('a round amended to void has no forecast but the recorded ones', async () => {
  const { id } = await currentRound(service);
  await predictAll();
  await moveTo(65);
  const query = `{ round(id: ${id}) { status recorded: forecast(minute: 5) { minute } computed: forecast(minute: 50) { entries } } }`;
  const { round: resolved } = await dataOf(service, query);
  expect(resolved).toMatchObject({ status: 'resolved', computed: { entries: 3 } });
  await act(service, 'amend', id, 'Its prices were wrong', { outcome: 'void' });
  expect((await dataOf(service, query)).round).toEqual({ ...resolved, status: 'void', computed: null });
});

test('the crowd of a checkpoint without predictions is null in exports, REST and GraphQL', async () => {
  await moveTo(65);
  const { id } = await currentRound(service);
  const [row] = await linesOf(`/api/export/forecasts.ndjson?round_id=${id}`);
  expect(row).toMatchObject({ minute: 5, entries: 0, crowd: null });
  expect(row.price).not.toBeNull();
  const [round] = await linesOf(`/api/export/rounds.ndjson?round_id=${id}`);
  expect(round).toMatchObject({ forecast_minute: 5, price: row.price, crowd: null });
  expect((await get(`/api/rounds/${id}/forecast`)).body.checkpoints[0]).toMatchObject({ minute: 5, crowd: null });
  const query = `{ round(id: ${id}) { forecast(minute: 5) { entries crowd { answer } } } }`;
  expect((await dataOf(service, query)).round.forecast).toEqual({ entries: 0, crowd: null });
});
