import type { Request } from 'express';

import { EVENT_KINDS } from '../entities/event.ts';
import { DomainError } from '../rules/errors.ts';

/** What a client of `GET /api/events` asks for. */
export interface EventQuery {
  /** The seq of the last event that it has seen; null: from now on. */
  readonly after: number | null;
  /** Null: all. */
  readonly kinds: ReadonlySet<string> | null;
}

const WHOLE_NUMBER = /^\d{1,15}$/;
const LONGEST_SHOWN = 60;

/** Throws `BAD_REQUEST` that names the parameter and what it takes. */
export function eventQueryOf(request: Request): EventQuery {
  const [, text = ''] = request.originalUrl.split('?', 2);
  const query = new URLSearchParams(text);
  const after = onlyOne(query, 'after');
  const kinds = onlyOne(query, 'kinds');
  // A browser that comes back names what it has seen in the header, and repeats the address that it began with.
  const lastSeen = request.get('last-event-id') || after;
  return {
    after: lastSeen === undefined ? null : seqOf(lastSeen),
    kinds: kinds === undefined ? null : kindsOf(kinds),
  };
}

function onlyOne(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new DomainError('BAD_REQUEST', `${name} is given ${values.length} times; give it once.`);
  return values[0];
}

function seqOf(text: string): number {
  if (WHOLE_NUMBER.test(text)) return Number(text);
  const message = `after and Last-Event-ID take the seq of an event, a whole number, not ${shown(text)}.`;
  throw new DomainError('BAD_REQUEST', message);
}

function kindsOf(text: string): ReadonlySet<string> {
  const kinds = text.split(',');
  const unknown = kinds.find((kind) => !EVENT_KINDS.some((known) => known === kind));
  if (unknown === undefined) return new Set(kinds);
  const message = `kinds takes some of ${EVENT_KINDS.join(', ')}, separated by commas, not ${shown(unknown)}.`;
  throw new DomainError('BAD_REQUEST', message);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, LONGEST_SHOWN));
}
