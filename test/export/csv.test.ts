import { describe, expect, test } from '@jest/globals';

import { csvCell, csvLine } from '../../src/export/formats.ts';

describe('a cell', () => {
  test.each([
    [null, ''],
    [0, '0'],
    [-12.5, '-12.5'],
    ['YES', '"YES"'],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
    [['BTC', 'ETH'], '"BTC ETH"'],
    [[-0.5, 1e-7], '"-0.5 1e-7"'],
  ] as const)('of %j is %s', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test.each(['=1+1', '+1', '@sum(a1)', '\tx', '\rx', '-1+cmd|x', '-2+3(a)', '-1', '-agent-1', '-_x', '--A1', '-'])(
    'of %j starts no formula',
    (text) => {
      expect(csvCell(text)).toBe(`"'${text}"`);
    },
  );

  test.each(['agent-1', '_x', 'a=b', '1-2', ' -1'])('of %j, which starts none, is left', (text) => {
    expect(csvCell(text)).toBe(`"${text}"`);
  });
});

test('of texts that begin as a formula, the list starts none', () => {
  expect(csvCell(['-x', 'y'])).toBe('"\'-x y"');
});

test('a line ends with CR LF', () => {
  expect(csvLine(['1', '', '"x"'])).toBe('1,,"x"\r\n');
});
