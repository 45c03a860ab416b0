import { describe, expect, test } from '@jest/globals';

import { csvCell, csvLine } from '../../src/export/formats.ts';

describe('CSV cells', () => {
  test.each([
    [null, ''],
    [0, '0'],
    [-12.5, '-12.5'],
    ['YES', '"YES"'],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
    [['BTC', 'ETH'], '"BTC ETH"'],
    [[-0.5, 1e-7], '"-0.5 1e-7"'],
  ] as const)('the cell of %j is %s', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test.each(['=1+1', '+1', '@sum(a1)', '\tx', '\rx', '-1+cmd|x', '-2+3(a)', '-1', '-agent-1', '-_x', '--A1', '-'])(
    'the cell of %j is no formula',
    (text) => {
      expect(csvCell(text)).toBe(`"'${text}"`);
    },
  );

  test.each(['agent-1', '_x', 'a=b', '1-2', ' -1'])('the cell of %j, which is no formula, is unchanged', (text) => {
    expect(csvCell(text)).toBe(`"${text}"`);
  });
});

test('a list with a formula in it is no formula', () => {
  expect(csvCell(['-x', 'y'])).toBe('"\'-x y"');
});

test('a line ends with CR LF', () => {
  expect(csvLine(['1', '', '"x"'])).toBe('1,,"x"\r\n');
});
