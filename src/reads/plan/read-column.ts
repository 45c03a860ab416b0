import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import { statement, type Statements } from '../../database/statements.ts';
import { compile } from '../fragments.ts';
import { rows } from '../sql.ts';
import { type Column, valueOf } from './plan.ts';

/** The author of the document behind a statement: the service, as for REST and the page, or a caller. */
type Origin = 'own' | 'callers';

/** Reads the text of one JSON value; null for NULL. */
export type ReadJson = (value: Expression<unknown>, origin?: Origin) => Promise<string | null>;

/**
 * Limits of prepared statements: their number, and the characters of all texts together. Each connection keeps text and
 * plan of each, some 100 bytes per character. Callers' documents cannot use up the service's names.
 */
const MAX_NAMED: Readonly<Record<Origin, { readonly names: number; readonly characters: number }>> = {
  own: { names: 80, characters: 192 * 1024 },
  callers: { names: 120, characters: 320 * 1024 },
};

/** Longer texts are not prepared: fragments expand a short document to some 230,000 characters. */
const LONGEST_NAMED = 16 * 1024;

/** The maximum of texts that were read once, and get a name at their next use. */
const MAX_SEEN = 1_000;

export function jsonReader(statements: Statements): ReadJson {
  const nameOf = { own: statementNames('own'), callers: statementNames('callers') };
  return async (value, origin = 'callers') => jsonOf(statements, value, nameOf[origin]);
}

async function jsonOf(statements: Statements, value: Expression<unknown>, nameOf: (text: string) => string | null) {
  const { sql: text, parameters } = compile(sql`select (${value})::text`);
  const [row] = await statements.rows(statement<[string | null]>({ name: nameOf(text), text }), parameters);
  return row?.[0] ?? null;
}

/** Reads a value and the rows below it in one statement. */
export type ReadColumn = <Value>(column: Column<Value>) => Promise<Value>;

export function columnReader(readJson: ReadJson, origin?: Origin): ReadColumn {
  return async (column) => {
    const json = await readJson(column.sql, origin);
    return valueOf(column, json === null ? null : JSON.parse(json));
  };
}

/** Reads on these connections, by unnamed statements. */
export function onConnections(statements: Statements): ReadColumn {
  return columnReader((value) => jsonOf(statements, value, () => null));
}

export function byEntityManager(em: SqlEntityManager): ReadColumn {
  return columnReader(jsonBy(() => em));
}

/** Reads each value by a new entity manager, by unnamed statements. */
export function jsonBy(newEm: () => SqlEntityManager): ReadJson {
  return async (value) => {
    const [found] = await rows<{ readonly json: string | null }>(newEm())`select (${value})::text as json`;
    return found?.json ?? null;
  };
}

/**
 * Returns the name of a prepared statement for a text, or null at its first use. If all names are taken, the least
 * recently used text loses its name. A connection replaces the prepared statement when it gets another text by that name.
 */
function statementNames(origin: Origin): (text: string) => string | null {
  const { names: max, characters: maxSize } = MAX_NAMED[origin];
  const free = Array.from({ length: max }, (_, place) => `${origin}_${max - 1 - place}`);
  const names = new LRUCache<string, string>({
    max,
    maxSize,
    sizeCalculation: (_name, text) => text.length,
    dispose: (name) => void free.push(name),
  });
  const seen = new LRUCache<string, true>({ max: MAX_SEEN });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (text.length > LONGEST_NAMED) return null;
    if (!seen.delete(text)) {
      seen.set(text, true);
      return null;
    }
    while (free.length === 0 || names.calculatedSize + text.length > maxSize) names.pop();
    const name = free.pop() ?? null;
    if (name !== null) names.set(text, name);
    return name;
  };
}
