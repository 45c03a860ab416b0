import { expect, test } from '@jest/globals';
import { checkWalletAddress } from '../../src/rules/wallet-address.ts';
import { expectBadRequest } from './refusals.ts';

test.each([
  '0x52908400098527886E0F7030069857D2E4169EE7',
  `0x${'0'.repeat(40)}`,
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '1'.repeat(32),
  'z'.repeat(44),
])('%s is a wallet address', (address) => {
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
])('%j is no wallet address', (address) => {
  expectBadRequest(() => checkWalletAddress(address), JSON.stringify(address), '40 hex digits', '32 to 44 base58');
});
