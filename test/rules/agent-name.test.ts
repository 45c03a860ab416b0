import { expect, test } from '@jest/globals';
import { checkAgentName, nameKey } from '../../src/rules/agent-name.ts';
import { expectBadRequest } from './refusals.ts';

test.each(['abc', 'A-b_9', '___', 'x'.repeat(50)])('%j is a name', (name) => {
  expect(() => checkAgentName(name)).not.toThrow();
});

test.each(['', 'ab', 'with space', 'umlaut-ä', 'dot.', 'abc\n', 'a\0bc', 'ａｂｃ'])('%j is no name', (name) => {
  expectBadRequest(() => checkAgentName(name), JSON.stringify(name), '3 to 50', 'a-z, A-Z, 0-9');
});

test('a name of 51 characters is refused, and a long one is cut in the message', () => {
  expectBadRequest(() => checkAgentName('x'.repeat(51)));
  expectBadRequest(() => checkAgentName('x'.repeat(10_000)), `"${'x'.repeat(59)}... is not accepted`);
});

test('names that differ in case alone are the same name', () => {
  expect(nameKey('Oracle_9')).toBe(nameKey('oRACLE_9'));
  expect(nameKey('Oracle_9')).not.toBe(nameKey('Oracle-9'));
});
