import { expect, test } from '@jest/globals';

import { checkAgentName, nameKey, checkWalletAddress } from '../../src/rules/agents.ts';
import { expectBadRequest } from './refusals.ts';

test.each(['abc', 'A-b_9', '___', 'x'.repeat(50)])('%j is a valid name', (name) => {
  expect(() => checkAgentName(name)).not.toThrow();
});

test.each(['', 'ab', 'with space', 'umlaut-ä', 'dot.', 'abc\n', 'a\0bc', 'ａｂｃ', 'агент', 'bot-🚀'])(
  '%j is an invalid name',
  (name) => {
    expectBadRequest(() => checkAgentName(name), JSON.stringify(name), '3 to 50', 'a-z, A-Z, 0-9');
  },
);

test('a name of 51 characters is refused, and a long one is shortened in the message', () => {
  expectBadRequest(() => checkAgentName('x'.repeat(51)));
  expectBadRequest(() => checkAgentName('x'.repeat(10_000)), `(got "${'x'.repeat(59)}...)`);
});

test.each(['admin', 'Official', 'HOURCAST', 'sup_port', '-root-', 'null', 'Un-defined', 'c-o-i-n', 'price_'])(
  '%s is a reserved name in any case and with any _ and -',
  (name) => {
    expectBadRequest(() => checkAgentName(name), 'name must be none of ', `(got "${name}").`);
  },
);

test.each(['admin1', 'my-support', 'coin-1', 'hourcaster', 'removed1'])('%s only contains a reserved name', (name) => {
  expect(() => checkAgentName(name)).not.toThrow();
});

test('names that differ only in case are the same name', () => {
  expect(nameKey('Oracle_9')).toBe(nameKey('oRACLE_9'));
  expect(nameKey('Oracle_9')).not.toBe(nameKey('Oracle-9'));
});

test.each([
  '0x52908400098527886E0F7030069857D2E4169EE7',
  `0x${'0'.repeat(40)}`,
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '1'.repeat(32),
  'z'.repeat(44),
])('%s is a valid wallet address', (address) => {
  expect(() => checkWalletAddress(address)).not.toThrow();
});

test.each([
  '',
  `0x${'0'.repeat(39)}`,
  `0x${'0'.repeat(41)}`,
  `0x${'g'.repeat(40)}`,
  `0X${'0'.repeat(40)}`,
  '1'.repeat(31),
  '1'.repeat(45),
  `${'1'.repeat(31)}0`,
  `${'1'.repeat(31)}O`,
  `${'1'.repeat(31)}I`,
  `${'1'.repeat(31)}l`,
  `${'1'.repeat(32)}\n`,
  `${'1'.repeat(32)}\0`,
  `0x${'0'.repeat(40)}\0`,
])('%j is an invalid wallet address', (address) => {
  expectBadRequest(() => checkWalletAddress(address), JSON.stringify(address), '40 hex digits', '32 to 44 base58');
});
