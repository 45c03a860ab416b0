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
  ] as const)('of %j is %s', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test.each(['=1+1', '+1', '@sum(a1)', '\tx', '\rx', '-1+cmd|x', '-2+3(a)'])('of %j starts no formula', (text) => {
    expect(csvCell(text)).toBe(`"'${text}"`);
  });

  test.each(['-agent-1', '--', '_x', 'a=b'])('of %j, which a name may be or which starts none, is left', (text) => {
    expect(csvCell(text)).toBe(`"${text}"`);
  });
});

test('a line ends with CR LF', () => {
  expect(csvLine(['1', '', '"x"'])).toBe('1,,"x"\r\n');
});
