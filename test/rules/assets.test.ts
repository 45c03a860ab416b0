import { expect, test } from '@jest/globals';
import { ASSETS, byAsset, isAsset } from '../../src/rules/assets.ts';

test('the eight assets of the specification are listed in its order', () => {
  expect(ASSETS).toEqual(['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT']);
});

test('byAsset computes a value for each asset', () => {
  expect(Object.entries(byAsset((asset) => `${asset}!`))).toEqual(ASSETS.map((asset) => [asset, `${asset}!`]));
});

test.each(['btc', 'XRP', '', null, 1])('%j is not an asset', (value) => {
  expect(isAsset(value)).toBe(false);
});

test('DOT is an asset', () => {
  expect(isAsset('DOT')).toBe(true);
});
