import { refused } from '../rules/errors.ts';

/** A column of a list's order. */
export type Key = number | string | Date;

export type KeyKind = 'integer' | 'wide' | 'instant' | 'text';

const INT32 = 2 ** 31;
const WIDEST = Number.MAX_SAFE_INTEGER;
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
const LONGEST_TEXT = 64;

/** The key of each kind in a cursor; null for a value that no valid cursor has. */
const READ: Readonly<Record<KeyKind, (value: unknown) => Key | null>> = {
  integer: (value) => wholeNumber(value, { min: -INT32, max: INT32 - 1 }),
  wide: (value) => wholeNumber(value, { min: -WIDEST, max: WIDEST }),
  instant: instantOf,
  text: textOf,
};

/** An opaque text for the place after the row with these keys, in the list and order of `name`. */
export function writeCursor(name: string, keys: readonly Key[]): string {
  const written = keys.map((key) => String(key instanceof Date ? key.getTime() : key));
  return Buffer.from(JSON.stringify([name, ...written])).toString('base64url');
}

/** The keys in a cursor; `BAD_REQUEST` for anything but a cursor of this list in this order. */
export function readCursor(name: string, kinds: readonly KeyKind[], cursor: string): readonly Key[] {
  const [writtenName, ...written] = partsOf(cursor);
  const keys = kinds.flatMap((kind, place) => READ[kind](written[place]) ?? []);
  if (writtenName === name && written.length === kinds.length && keys.length === kinds.length) return keys;
  throw refused(
    'after',
    'an endCursor of an earlier page (over REST its next) of the same list in the same order',
    cursor,
  );
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function instantOf(value: unknown): Date | null {
  const milliseconds = wholeNumber(value, { min: 0, max: LAST_INSTANT });
  return milliseconds === null ? null : new Date(milliseconds);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST_TEXT && !/\p{Cc}/u.test(value) ? value : null;
}

function wholeNumber(value: unknown, { min, max }: { min: number; max: number }): number | null {
  if (typeof value !== 'string' || !/^-?\d{1,16}$/.test(value)) return null;
  const number = Number(value);
  return number >= min && number <= max ? number : null;
}
