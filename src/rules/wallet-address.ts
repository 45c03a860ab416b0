import { DomainError } from './errors.ts';
import { quoted } from './quoted.ts';

const HEX = /^0x[0-9a-fA-F]{40}$/;

// Base58 leaves out 0, O, I and l, which are easily taken for one another.
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Throws BAD_REQUEST unless the text has the form of a wallet address. No checksum is looked at. */
export function checkWalletAddress(text: string): void {
  if (HEX.test(text) || BASE58.test(text)) return;
  const accepted = '"0x" and 40 hex digits, or 32 to 44 base58 characters';
  throw new DomainError('BAD_REQUEST', `wallet_address ${quoted(text)} is not accepted: it takes ${accepted}`);
}
