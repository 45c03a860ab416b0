import { describe, expect, test } from '@jest/globals';

import { ReferenceBasis, RoundQuote } from '../../src/entities/references.ts';
import type { LiveMarket } from '../../src/market/live/live.ts';
import { quoteRecording } from '../../src/references/quote-recorder.ts';
import { hourOf, SECOND } from '../../src/rules/hours.ts';
import { FACTORS, wavyMarket } from '../market/live/exchanges/wavy-market.ts';
import type { Fault } from '../market/live/exchanges/played-exchange.ts';
import { playSources } from '../market/live/exchanges/played-sources.ts';
import { currentRound } from '../support/rounds.ts';
import { shared, sharedDisposable, sharedService } from '../support/shared.ts';

const START = new Date('2026-03-02T12:59:50Z');
const HOUR_START = new Date('2026-03-02T13:00:00Z');
const DOWN: Fault = { reply: () => 'close' };

const sources = sharedDisposable(async () => {
  const played = await playSources(wavyMarket(), FACTORS);
  played.market.now = START;
  return played;
});
const live = shared(async () => openLive());
const service = sharedService(() => ({ start: START.toISOString(), prices: live }));

/** Real time goes along with the service's, which is that of the exchanges. */
function openLive(): LiveMarket {
  return sources.open({ realNow: () => sources.market.now });
}

function setTime(seconds: number): Date {
  const time = new Date(HOUR_START.getTime() + seconds * SECOND);
  sources.market.now = time;
  service.clock.set(time);
  return time;
}

async function refreshAt(market: LiveMarket, seconds: number): Promise<void> {
  setTime(seconds);
  await market.refresh();
}

function recorder(market: LiveMarket) {
  const record = quoteRecording({ newEm: service.newEm, market });
  return (seconds: number) => record(setTime(seconds));
}

async function stored() {
  const { id } = await currentRound(service);
  return service.newEm().find(RoundQuote, { roundId: id }, { orderBy: { point: 'asc' } });
}

async function points(): Promise<readonly number[]> {
  return (await stored()).map(({ point }) => point);
}

/** In the order of time, since an hour is played through: each test goes on where the one before ended. */
describe('live prices within an hour', () => {
  test('live prices are stored at each grid point, from the last refresh before it', async () => {
    await live.refresh();
    setTime(0);
    await service.turn();
    const record = recorder(live);
    await record(0);
    await refreshAt(live, 14);
    await refreshAt(live, 29);
    await record(30);
    expect(await points()).toEqual([0, 1, 2]);
    const [open, first] = await stored();
    expect(open?.highs).toEqual(open?.prices);
    expect(first?.prices[0]).toBeGreaterThan(0);
  });

  test('the covariance is stored once the previous hour is final', async () => {
    const { id } = await currentRound(service);
    expect(await service.newEm().count(ReferenceBasis, { roundId: id })).toBe(0);
    await refreshAt(live, 58);
    await recorder(live)(60);
    expect(await service.newEm().count(ReferenceBasis, { roundId: id })).toBe(1);
    const { body } = await service.request('GET', `/api/rounds/${id}/reference?points=240`);
    expect(body.reference.map(({ known }: { known: boolean }) => known)).toEqual([true, true, true, true, true]);
  });

  test('prices are stored late from an earlier refresh, never from one after the point', async () => {
    const record = recorder(live);
    await refreshAt(live, 74);
    await refreshAt(live, 91);
    await record(104);
    expect(await points()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const [fifth, sixth] = (await stored()).slice(5);
    expect(sixth?.prices).toEqual(fifth?.prices);
  });

  test('prices are unknown from 61 s after the last refresh on, and readers store none', async () => {
    for (const exchange of Object.values(sources.exchanges)) exchange.fault = DOWN;
    const record = recorder(live);
    for (const seconds of [105, 120, 135, 150]) await refreshAt(live, seconds);
    await record(150);
    expect(await points()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await refreshAt(live, 152);
    await record(165);
    expect((await points()).at(-1)).toBe(10);
    const { id } = await currentRound(service);
    const { body } = await service.request('GET', `/api/rounds/${id}/reference?points=240`);
    expect(body.reference.at(-1)).toMatchObject({ known: false, prices: [] });
    const each = body.reference.at(-1).probabilities.map(({ probability }: { probability: number }) => probability);
    expect(each).toEqual(body.choices.map(() => 1 / body.choices.length));
    expect((await points()).at(-1)).toBe(10);
    for (const exchange of Object.values(sources.exchanges)) exchange.fault = null;
  });

  test('a restart continues with stored highs and lows, and two processes store each point once', async () => {
    const before = (await stored()).at(-1);
    const [one, other] = [openLive(), openLive()];
    await refreshAt(one, 170);
    await refreshAt(other, 171);
    await Promise.all([recorder(one)(180), recorder(other)(180)]);
    const last = (await stored()).at(-1);
    expect(last?.point).toBe(12);
    for (const [place, high] of (last?.highs ?? []).entries()) {
      expect(high).toBeGreaterThanOrEqual(before?.highs[place] ?? Infinity);
      expect(last?.lows[place]).toBeLessThanOrEqual(before?.lows[place] ?? 0);
    }
    expect(new Set(await points()).size).toBe((await points()).length);
    expect(hourOf(sources.market.now)).toEqual(HOUR_START);
  });
});

test('readers of candles share one request to each exchange, for any hours', async () => {
  const exchanges = Object.values(sources.exchanges);
  for (const { requests } of exchanges) requests.length = 0;
  const answers = [1, 2, 24].map((hours) => service.request('GET', `/api/data/candles?asset=LINK&hours=${hours}`));
  const lengths = (await Promise.all(answers)).map(({ body }) => body.candles.length);
  expect(lengths).toEqual([1, 2, 24]);
  await service.request('GET', '/api/data/candles?asset=LINK&hours=3');
  // The covariance may have been asked for before.
  expect(exchanges.map(({ requests }) => requests.length <= 1)).toEqual([true, true, true]);
});
