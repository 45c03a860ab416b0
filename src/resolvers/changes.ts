import { readFileSync } from 'node:fs';

import { MAX_CHANGES } from '../limits.ts';
import { refused } from '../rules/errors.ts';
import type { Change, Resolvers } from './schema-types.ts';

/** Written by `npm run codegen` from the released sections of the changelog, the newest first. */
export const CHANGES: readonly Change[] = JSON.parse(readFileSync(new URL('./changes.json', import.meta.url), 'utf8'));

const VERSION = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;

export const changeResolvers = {
  Query: {
    changes: (_root, { since }) => (since == null ? CHANGES : changesSince(since, CHANGES)).slice(0, MAX_CHANGES),
  },
} satisfies Resolvers;

/** The changes of versions above `since`, which needs no change of its own. Throws BAD_REQUEST unless it is a version. */
export function changesSince(since: string, changes: readonly Change[]): readonly Change[] {
  if (!VERSION.test(since)) throw refused('since', 'a version such as 0.3.0', since);
  return changes.filter(({ version }) => isAbove(version, since));
}

/** By numbers: 0.10.0 is above 0.9.0. */
export function isAbove(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) > 0;
}
