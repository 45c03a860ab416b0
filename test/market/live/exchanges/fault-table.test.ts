import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { SOURCE_NAMES, type SourceName } from '../../../../src/market/live/exchanges/exchange.ts';
import type { HourVerdict } from '../../../../src/market/market.ts';
import { FAULTS, type Effect, type NamedFault } from './faults.ts';
import { DECIDED_HOUR, FACTORS, NOW, honestFigures, wavyMarket } from './wavy-market.ts';
import { playSources, type PlayedSources } from './played-sources.ts';

let sources: PlayedSources;

beforeAll(async () => {
  sources = await playSources(wavyMarket(), FACTORS);
});
afterAll(async () => {
  await sources[Symbol.asyncDispose]();
});

/** Decides BTC's hour with these faults; the exchanges that are not named are well. */
async function decideWith(faults: Readonly<Partial<Record<SourceName, NamedFault>>>): Promise<HourVerdict> {
  for (const name of SOURCE_NAMES) sources.exchanges[name].fault = faults[name]?.fault ?? null;
  const live = sources.open();
  const verdict = await live.decide(['BTC'], [DECIDED_HOUR], NOW);
  await live.stop();
  return verdict;
}

/** What is decided: the sources whose median it is, or why nothing is. */
function verdictText({ candles: [candle], problem, evidence }: HourVerdict): string {
  if (candle === undefined) return String(problem);
  const { open, high, low, close } = candle;
  const counted = SOURCE_NAMES.filter((name) =>
    evidence.some(({ source, counted: counts }) => counts && source === name),
  );
  const honest = honestFigures(counted);
  expect(problem).toBeNull();
  return JSON.stringify({ open, high, low, close }) === JSON.stringify(honest) ? counted.join('+') : 'wrong prices';
}

describe('one faulty source of three', () => {
  test.each(FAULTS)('one faulty source of three does not change the outcome: $name', async (named) => {
    for (const hit of SOURCE_NAMES) {
      const verdict = await decideWith({ [hit]: named });
      const others = SOURCE_NAMES.filter((name) => name !== hit || named.effect === 'counts');
      expect({ hit, told: verdictText(verdict) }).toEqual({ hit, told: others.join('+') });
      const evidence = verdict.evidence.find(({ source }) => source === hit);
      if (named.leftOut === null) expect(evidence).toMatchObject({ counted: true, leftOut: null });
      else expect(evidence).toMatchObject({ counted: false, leftOut: expect.stringMatching(named.leftOut) });
    }
  });
});

/** What Kraken's and Binance's faults come to while Coinbase is well. */
function expected(kraken: Effect, binance: Effect): string {
  const wrong = [kraken, binance].filter((effect) => effect !== 'out' && effect !== 'counts');
  const right = ['coinbase', ...(kraken === 'counts' ? ['kraken'] : []), ...(binance === 'counts' ? ['binance'] : [])];
  if (right.length > 1) return right.join('+');
  if (wrong.length === 0) return 'no_prices';
  // Two that are wrong in the same way are believed: nobody could tell.
  return wrong[0] === wrong[1] ? 'wrong prices' : 'sources_disagree';
}

describe('two faulty sources of three', () => {
  test.each(FAULTS.map((one, place) => ({ ...one, place })))(
    'two faults decide nothing unless they are wrong in the same way: $name',
    async ({ place, ...one }) => {
      const seen: Record<string, string> = {};
      const due: Record<string, string> = {};
      // Each pair once; which exchange has which of the two takes turns.
      for (const [gap, other] of FAULTS.slice(place).entries()) {
        const [kraken, binance] = gap % 2 === 0 ? [one, other] : [other, one];
        seen[other.name] = verdictText(await decideWith({ kraken, binance }));
        due[other.name] = expected(kraken.effect, binance.effect);
      }
      expect(seen).toEqual(due);
    },
  );
});

describe('three faulty sources', () => {
  test.each(FAULTS.filter(({ effect }) => effect === 'out'))(
    'three faulty sources decide nothing: $name',
    async (named) => {
      const verdict = await decideWith({ coinbase: named, kraken: named, binance: named });
      expect(verdictText(verdict)).toBe('no_prices');
      expect(verdict.evidence.map(({ leftOut }) => leftOut)).toEqual(
        SOURCE_NAMES.map(() => expect.stringMatching(/\.$/)),
      );
    },
  );
});
