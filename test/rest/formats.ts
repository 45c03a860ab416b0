import { expect } from '@jest/globals';

/** What stands in answers, for `toEqual` on whole bodies. */
export const INTEGER: unknown = matching('a whole number', (value) => Number.isInteger(value));
export const FIGURE: unknown = matching('a finite number', (value) => Number.isFinite(value));
export const TEXT: unknown = expect.stringMatching(/\S/);
/** `YYYY-MM-DD HH:MM:SS` (spec 2.2). */
export const SPACED: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
/** `YYYY-MM-DDTHH:MM:SS` (spec 2.3). */
export const JOINED: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
/** ISO 8601 with milliseconds and `Z` (spec 2.6). */
export const ISO: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** `pk_live_` and 48 hexadecimal characters (spec 5). */
export const API_KEY: unknown = expect.stringMatching(/^pk_live_[0-9a-f]{48}$/);

export function oneOf(...values: readonly unknown[]): unknown {
  return matching(`one of ${values.join(', ')}`, (value) => values.includes(value));
}

export function nullOr(expected: unknown): unknown {
  return matching('null or what is expected', (value) => {
    if (value !== null) expect(value).toEqual(expected);
    return true;
  });
}

function matching(name: string, holds: (value: unknown) => boolean) {
  return {
    $$typeof: Symbol.for('jest.asymmetricMatcher'),
    asymmetricMatch: holds,
    toString: () => name,
    toAsymmetricMatcher: () => name,
  };
}
