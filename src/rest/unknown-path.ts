import type { Request } from 'express';

import { noSuchPath } from '../http/errors.ts';
import { nearestName } from '../http/nearest-name.ts';
import { DomainError } from '../rules/errors.ts';

/** Longer paths are no typos, and the comparison's time is not in any budget. */
const LONGEST_COMPARED = 64;
const ROOT = '/api/';

/** The last handler: throws `NOT_FOUND`, with the nearest known path under `/api`. */
export function refusePath(known: readonly string[]): (request: Request) => never {
  return (request) => {
    const { method, path } = request;
    if (!path.startsWith(ROOT)) return noSuchPath(request);
    const nearest = path.length > LONGEST_COMPARED ? undefined : nearestTo(path, known);
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    throw new DomainError(
      'unknown_path',
      `There is no endpoint ${method} ${path}.${hint} All of them are in /openapi.json.`,
    );
  };
}

function nearestTo(path: string, known: readonly string[]): string | undefined {
  const given = path.split('/');
  const filled = known.map((pattern) => {
    const parts = pattern.split('/');
    if (parts.length !== given.length) return pattern;
    return parts.map((part, index) => (/^[{:]/.test(part) ? given[index] : part)).join('/');
  });
  // The common prefix would make short paths similar to all others.
  const rest = (one: string): string => one.slice(ROOT.length);
  const nearest = nearestName(rest(path), filled.map(rest));
  return nearest === undefined ? undefined : ROOT + nearest;
}
