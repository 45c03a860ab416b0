import { expect, test } from '@jest/globals';

import { tileAt, tilePath, widthOf } from '../../src/transparency/tiles.ts';

test.each([
  { place: { level: 0, index: 0 }, width: 256, path: '0/000' },
  { place: { level: 0, index: 5 }, width: 1, path: '0/005.p/1' },
  { place: { level: 1, index: 999 }, width: 255, path: '1/999.p/255' },
  { place: { level: 2, index: 1000 }, width: 256, path: '2/x001/000' },
  { place: { level: 0, index: 1_234_067 }, width: 256, path: '0/x001/x234/067' },
])('the tile at $path is read and written alike', ({ place, width, path }) => {
  expect(tilePath(place, width)).toBe(path);
  expect(tileAt(path)).toEqual({ place, width });
});

test.each([
  '',
  '0',
  '0/0',
  '0/0000',
  '00/000',
  '0/x000/001',
  '0/001/002',
  '0/000.p/0',
  '0/000.p/256',
  '0/000.p/257',
  '0/000.p/01',
  '-1/000',
  '0/000/',
  '0/x1000/000',
])('the path %j names no tile', (path) => {
  expect(tileAt(path)).toBeNull();
});

test('a tile is as wide as the tree lets it be', () => {
  const size = 256 * 256 + 256 * 3 + 7;
  expect([0, 258, 259, 260].map((index) => widthOf({ level: 0, index }, size))).toEqual([256, 256, 7, 0]);
  expect([0, 1, 2].map((index) => widthOf({ level: 1, index }, size))).toEqual([256, 3, 0]);
  expect([0, 1].map((index) => widthOf({ level: 2, index }, size))).toEqual([1, 0]);
});
