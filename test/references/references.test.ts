import { describe, expect, test } from '@jest/globals';

import { ReferenceBasis, RoundQuote } from '../../src/entities/references.ts';
import { Round, RoundAsset } from '../../src/entities/round.ts';
import type { Market } from '../../src/market/market.ts';
import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { referencesOf } from '../../src/references/references.ts';
import { addHours, MINUTE, SECOND } from '../../src/rules/hours.ts';
import { referenceAt } from '../../src/rules/reference/reference.ts';
import { RULES_VERSION } from '../../src/rules/versions.ts';
import { sharedService } from '../support/shared.ts';

const simulated = simulatedMarket();
const service = sharedService(() => ({ prices: simulated }));

/** A round that has just begun. */
async function nextRound(): Promise<Round> {
  await service.nextHour();
  return service.newEm().findOneOrFail(Round, { status: 'active' });
}

function storedOf({ id }: Round) {
  return service.newEm().find(RoundQuote, { roundId: id }, { orderBy: { point: 'asc' } });
}

async function assetsOf({ id }: Round) {
  const found = await service.newEm().find(RoundAsset, { roundId: id }, { orderBy: { position: 'asc' } });
  return found.map(({ asset }) => asset);
}

describe('references of an ended round', () => {
  test('references follow from prices at their grid points, which alone are stored with the open', async () => {
    const round = await nextRound();
    const found = await referencesOf({ newEm: service.newEm, market: simulated }, round, [239, 100]);
    const stored = await storedOf(round);
    expect(stored.map(({ point }) => point)).toEqual([0, 100, 239]);
    const assets = await assetsOf(round);
    const hour = {
      hourStart: round.startTime,
      times: [0, 1500, 3585].map((s) => new Date(round.startTime.getTime() + s * SECOND)),
    };
    const shown = simulated.pricesSoFar(assets, hour, round.endTime);
    expect(stored.map(({ prices, highs, lows }) => ({ prices, highs, lows }))).toEqual(
      shown.map((soFar) => ({
        prices: soFar?.map(({ price }) => price),
        highs: soFar?.map(({ high }) => high),
        lows: soFar?.map(({ low }) => low),
      })),
    );
    const { covariance, signBefore } = await service.newEm().findOneOrFail(ReferenceBasis, { roundId: round.id });
    const [open, middle] = stored;
    const soFar = assets.map((asset, place) => [asset, soFarAt(place, open, middle)]);
    const rows = Array.from({ length: 8 }, (_, row) => covariance.slice(8 * row, 8 * row + 8));
    const { questionType, choices, operator = null, thresholdPct = null, n = null } = round;
    const subject = assets.find((asset) => asset === round.subject) ?? null;
    const question = { questionType, choices, assets, params: { subject, operator, thresholdPct, n } };
    expect(signBefore).toBeNull();
    const moment = { secondsLeft: 2100, assets: Object.fromEntries(soFar), covariance: rows, signBefore: null };
    expect(found.get(100)).toEqual(referenceAt(question, moment, RULES_VERSION));
  });

  test('references are the same whichever caller computes them first, and each price is stored once', async () => {
    const round = await nextRound();
    const deps = { newEm: service.newEm, market: simulated };
    const all = await Promise.all([3, 77, 200].map(() => referencesOf(deps, round, [3, 77, 200])));
    expect(new Set(all.map((found) => JSON.stringify([...found]))).size).toBe(1);
    expect((await storedOf(round)).map(({ point }) => point)).toEqual([0, 3, 77, 200]);
  });

  test('stored prices decide, whatever the market returns later', async () => {
    const round = await nextRound();
    const first = await referencesOf({ newEm: service.newEm, market: simulated }, round, [120]);
    const later: Market = {
      ...simulated,
      pricesSoFar: (assets, hour, now) =>
        simulated.pricesSoFar(assets, hour, now).map((known) => known && known.map(dearer)),
    };
    const again = await referencesOf({ newEm: service.newEm, market: later }, round, [120, 121]);
    expect(again.get(120)).toEqual(first.get(120));
    expect(again.get(121)).not.toEqual(first.get(120));
  });

  test('references are empty without valid prices of the same market, and nothing is stored', async () => {
    const round = await nextRound();
    const silent: Market = { ...simulated, pricesSoFar: (_assets, { times }) => times.map(() => null) };
    const other: Market = { ...simulated, source: 'another' };
    const broken: Market = {
      ...simulated,
      pricesSoFar: (_assets, { times }) => times.map(() => [{ price: 0, high: Infinity, low: NaN }]),
    };
    for (const market of [silent, other, broken]) {
      const found = await referencesOf({ newEm: service.newEm, market }, round, [5]);
      expect(found).toEqual(new Map());
    }
    expect(await storedOf(round)).toEqual([]);
    expect(await service.newEm().count(ReferenceBasis, { roundId: round.id })).toBe(0);
  });

  test('references wait three minutes for the candle of the previous hour', async () => {
    const round = await nextRound();
    const late: Market = {
      ...simulated,
      hourCandles: (asset, from, to, now) => simulated.hourCandles(asset, from, addHours(to, -1), now),
    };
    const deps = { newEm: service.newEm, market: late };
    const at = (minutes: number) => ({ id: round.id, endTime: new Date(round.startTime.getTime() + minutes * MINUTE) });
    await referencesOf(deps, at(2.9), [4]);
    expect(await service.newEm().count(ReferenceBasis, { roundId: round.id })).toBe(0);
    await referencesOf(deps, at(3), [4]);
    expect(await service.newEm().count(ReferenceBasis, { roundId: round.id })).toBe(1);
  });

  test('references of no grid point read nothing', async () => {
    const round = await nextRound();
    expect(await referencesOf({ newEm: service.newEm, market: simulated }, round, [])).toEqual(new Map());
    expect(await storedOf(round)).toEqual([]);
  });
});

test.each(['round_quotes', 'reference_bases'])('rows of %s can be added, but not changed or removed', async (table) => {
  await referencesOf({ newEm: service.newEm, market: simulated }, await nextRound(), [9]);
  for (const statement of [`update ${table} set round_id = round_id`, `delete from ${table}`, `truncate ${table}`]) {
    const refused = service.newEm().getConnection().execute(statement);
    await expect(refused).rejects.toMatchObject({ constraint: `${table}_kept` });
  }
});

function soFarAt(place: number, open: RoundQuote | undefined, quote: RoundQuote | undefined) {
  const at = (numbers: readonly number[] | undefined): number => numbers?.[place] ?? Number.NaN;
  return {
    openUsd: at(open?.prices),
    priceUsd: at(quote?.prices),
    highUsd: at(quote?.highs),
    lowUsd: at(quote?.lows),
  };
}

function dearer({ price, high, low }: { price: number; high: number; low: number }) {
  return { price: price * 1.01, high: high * 1.01, low: low / 1.01 };
}
