import { BENCHMARKS } from './benchmarks.ts';
import { refused } from './errors.ts';

/** A `compete` agent predicts; a `spectate` agent holds its name and reads (spec 3.1). */
export const AGENT_MODES = ['compete', 'spectate'] as const;

export type AgentMode = (typeof AGENT_MODES)[number];

/** A spectator's name stays reserved this long without activation (spec section 8). */
export const NAME_RESERVATION_DAYS = 30;

const NAME_LENGTH = { min: 3, max: 50 } as const;

const NAME = new RegExp(`^[a-zA-Z0-9_-]{${NAME_LENGTH.min},${NAME_LENGTH.max}}$`);

export const removedName = (id: number | string): string => `removed-${id}`;

const REMOVED = new RegExp(`^${removedName(String.raw`\d+`)}$`);

const RESERVED_NAMES: readonly { readonly names: readonly string[]; readonly mustBe: string }[] = [
  { names: BENCHMARKS, mustBe: `none of ${BENCHMARKS.join(', ')}, which boards list beside agents` },
  {
    names: (
      'admin administrator mod moderator official operator root security staff superuser support sysadmin system ' +
      'hourcast hourcastadmin hourcastbot hourcastofficial hourcastsupport hourcastteam officialhourcast'
    ).split(' '),
    mustBe: 'none of admin, official, support, hourcast and the like, which readers take for the service’s own',
  },
  {
    names: 'anonymous deleted nan nil none null undefined unknown'.split(' '),
    mustBe: 'none of null, none, anonymous, unknown and the like, which programs take for no name',
  },
];

/** Throws BAD_REQUEST unless the text is 3 to 50 of `a-z A-Z 0-9 _ -` (spec 4.1), and for reserved names, with any `_` and `-`. */
export function checkAgentName(text: string): void {
  if (!NAME.test(text))
    throw refused('name', `${NAME_LENGTH.min} to ${NAME_LENGTH.max} characters, only a-z, A-Z, 0-9, "_" and "-"`, text);
  const bare = nameKey(text).replaceAll(/[_-]/g, '');
  const reserved = RESERVED_NAMES.find(({ names }) => names.includes(bare));
  if (reserved !== undefined) throw refused('name', reserved.mustBe, text);
  if (REMOVED.test(nameKey(text)))
    throw refused('name', 'none of removed-1, removed-2 and so on, the names of removed agents', text);
}

/** Names are unique without regard to case: two names are the same one when their keys are equal. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

const HEX = /^0x[0-9a-fA-F]{40}$/;

// Base58 has no 0, O, I and l, which are easily confused.
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Checks the form alone, not a checksum. Throws BAD_REQUEST. */
export function checkWalletAddress(text: string): void {
  if (HEX.test(text) || BASE58.test(text)) return;
  throw refused('walletAddress', '"0x" and 40 hex digits, or 32 to 44 base58 characters', text);
}
