import { expect, test } from '@jest/globals';
import { ASSETS, byAsset, isAsset } from '../../src/rules/assets.ts';

test('there are the eight assets of the specification, in its order', () => {
  expect(ASSETS).toEqual(['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT']);
});

test('a value is made for each asset, under its own name', () => {
  expect(Object.entries(byAsset((asset) => `${asset}!`))).toEqual(ASSETS.map((asset) => [asset, `${asset}!`]));
});

test.each(['btc', 'XRP', '', null, 1])('%j is no asset', (value) => {
  expect(isAsset(value)).toBe(false);
});

test('DOT is an asset', () => {
  expect(isAsset('DOT')).toBe(true);
});
