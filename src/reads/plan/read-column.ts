import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { createQueryId, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import { statement, type Statements } from '../../database/statements.ts';
import { rows } from '../sql.ts';
import { type Column, valueOf } from './plan.ts';

/** Whose document a statement is made of: the service's own, as those of REST and the page, or a caller's. */
type Origin = 'own' | 'callers';

/** Reads the text of one JSON value, which SQL describes; null for NULL. */
export type ReadJson = (value: RawBuilder<unknown>, origin?: Origin) => Promise<string | null>;

/**
 * How many statements get a name, by which PostgreSQL knows them from then on, and how many characters these have in all:
 * a connection keeps text and plan of each, some 100 bytes for each character. What callers ask takes no name of our own.
 */
const MOST_NAMED: Readonly<Record<Origin, { readonly names: number; readonly characters: number }>> = {
  own: { names: 80, characters: 192 * 1024 },
  callers: { names: 120, characters: 320 * 1024 },
};

/** Longer texts get no name: a short document can spread its fragments to some 230,000 characters. */
const LONGEST_NAMED = 16 * 1024;

/** How many texts are remembered to have come once. */
const MOST_SEEN = 1_000;

/** Reads on connections of a pool. */
export function jsonReader(statements: Statements): ReadJson {
  const nameOf = { own: statementNames('own'), callers: statementNames('callers') };
  return async (value, origin = 'callers') => jsonOf(statements, value, nameOf[origin]);
}

async function jsonOf(statements: Statements, value: RawBuilder<unknown>, nameOf: (text: string) => string | null) {
  const node = sql`select (${value})::text`.toOperationNode();
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(node, createQueryId());
  const [row] = await statements.rows(statement<[string | null]>({ name: nameOf(text), text }), parameters);
  return row?.[0] ?? null;
}

/** Reads a value with all that hangs on it, in one statement. */
export type ReadColumn = <Value>(column: Column<Value>) => Promise<Value>;

/** Reads of callers' documents, or of the service's own. */
export function columnReader(readJson: ReadJson, origin?: Origin): ReadColumn {
  return async (column) => {
    const json = await readJson(column.sql, origin);
    return valueOf(column, json === null ? null : JSON.parse(json));
  };
}

/** Reads on these connections, by statements without names. */
export function onConnections(statements: Statements): ReadColumn {
  return columnReader((value) => jsonOf(statements, value, () => null));
}

export function byEntityManager(em: SqlEntityManager): ReadColumn {
  return columnReader(jsonBy(() => em));
}

/** Reads by an entity manager for each value, by statements without names. */
export function jsonBy(newEm: () => SqlEntityManager): ReadJson {
  return async (value) => {
    const [found] = await rows<{ readonly json: string | null }>(newEm())`select (${value})::text as json`;
    return found?.json ?? null;
  };
}

/**
 * Names for texts that come again; null for others. Where all are taken the text that came least recently gives its name
 * back: connections forget what they know by it when they meet the next one.
 */
function statementNames(origin: Origin): (text: string) => string | null {
  const { names: max, characters: maxSize } = MOST_NAMED[origin];
  const free = Array.from({ length: max }, (_, place) => `${origin}_${max - 1 - place}`);
  const names = new LRUCache<string, string>({
    max,
    maxSize,
    sizeCalculation: (_name, text) => text.length,
    dispose: (name) => void free.push(name),
  });
  const seen = new LRUCache<string, true>({ max: MOST_SEEN });
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
