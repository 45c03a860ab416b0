import { expect, test } from '@jest/globals';
import { parseExactJson } from '../../../src/market/live/fetch-reply.ts';

test.each([
  '0.10000000000000000001',
  '4.727521520000001',
  '2.2357688599999963',
  '10106.010',
  '1e5',
  '-0',
  '123456789012345678901234567890',
])('the number %s keeps every digit', (text) => {
  expect(parseExactJson(`[{"a": ${text}}, ${text}]`)).toEqual([{ a: text }, text]);
});

test('other JSON values are parsed as usual', () => {
  expect(parseExactJson('{"a":["1.50",null,true,{}],"b":""}')).toEqual({ a: ['1.50', null, true, {}], b: '' });
});

test.each(['', '[1', '{"a":1,}', '[01]', 'NaN', '<html>'])('%j is refused as invalid JSON', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});
