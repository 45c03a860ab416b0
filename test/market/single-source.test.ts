import { expect, test } from '@jest/globals';
import { MarketUnavailable } from '../../src/market/market.ts';
import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { addHours } from '../../src/rules/hours.ts';
import { scriptedMarket } from '../support/scripted-market.ts';

const HOUR = new Date('2026-01-01T12:00:00Z');
const NOW = addHours(HOUR, 2);

test('a single-source market decides by its own hour candles, also scripted ones', async () => {
  const market = scriptedMarket();
  market.script('BTC', HOUR, ['1', '4', '0.5', '2']);
  market.script('ETH', HOUR, null);
  const verdict = await market.decide(['BTC', 'ETH', 'SOL'], [HOUR], NOW);
  expect(verdict.candles).toMatchObject([{ asset: 'BTC', open: '1', close: '2' }, { asset: 'SOL' }]);
  expect(verdict).toMatchObject({ problem: 'no_prices', late: [], answered: 1, needed: 1 });
  expect(verdict.evidence).toMatchObject([
    { source: 'scripted', asset: 'BTC', high: '4', counted: true, bodyHash: null, sourceTime: null, fetchedAt: NOW },
    { source: 'scripted', asset: 'ETH', high: null, counted: false, leftOut: 'It has no price in this hour.' },
    { source: 'scripted', asset: 'SOL', counted: true, leftOut: null },
  ]);
});

test('an unavailable single source is evidence, and a defect is an error', async () => {
  const away = { ...simulatedMarket(), hourCandles: async () => Promise.reject(new MarketUnavailable('Nobody')) };
  const verdict = await away.decide(['BTC'], [HOUR], NOW);
  expect(verdict).toMatchObject({ candles: [], problem: 'no_prices', late: [], answered: 0, needed: 1 });
  expect(verdict.evidence[0]?.leftOut).toBe('It does not answer at present.');
  const defective = { ...simulatedMarket(), hourCandles: async () => Promise.reject(new TypeError('a defect')) };
  await expect(defective.decide(['BTC'], [HOUR], NOW)).rejects.toThrow('a defect');
});
