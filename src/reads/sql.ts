import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type CompiledQuery, createQueryId, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';

import { statement, type Statements } from '../database/statements.ts';

/** A tag for a statement whose rows are returned: ``await rows<{ n: number }>(em)`select 1 as n` ``. */
export function rows<Row>(em: SqlEntityManager) {
  return async (text: TemplateStringsArray, ...values: readonly unknown[]): Promise<readonly Row[]> => {
    const result = await sql<Row>(text, ...values).execute(em.getKysely());
    return result.rows;
  };
}

/** All of the conditions, or true when there are none. */
export function every(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0
    ? sql`true`
    : sql.join(
        conditions.map((one) => sql`(${one})`),
        sql` and `,
      );
}

/** Reads the text of one JSON value, which SQL describes; null for NULL. */
export type ReadJson = (value: RawBuilder<unknown>) => Promise<string | null>;

/**
 * How many statements get a name, by which PostgreSQL knows them from then on: a connection keeps text and plan of each and
 * forgets none. Later ones are planned each time, as are those that come only once.
 */
const MOST_NAMED = 200;

/** How many characters these have in all: each connection keeps some 100 bytes for each of them. */
const MOST_CHARACTERS = 512 * 1024;

/** Longer texts get no name: a short document can spread its fragments to some 230,000 characters. */
const LONGEST_NAMED = 16 * 1024;

/** How many texts are remembered to have come once. */
const MOST_SEEN = 1_000;

/** Reads on connections of a pool. */
export function jsonReader(statements: Statements): ReadJson {
  const nameOf = statementNames();
  // Documents without variables ask by the same value each time: it is compiled once.
  const known = new WeakMap<RawBuilder<unknown>, CompiledQuery>();
  return async (value) => {
    const compiled = known.get(value) ?? compiledQuery(value);
    known.set(value, compiled);
    const asked = statement<[string | null]>({ name: nameOf(compiled.sql), text: compiled.sql });
    const [row] = await statements.rows(asked, compiled.parameters);
    return row?.[0] ?? null;
  };
}

function compiledQuery(value: RawBuilder<unknown>): CompiledQuery {
  const node = sql`select (${value})::text`.toOperationNode();
  return new PostgresQueryCompiler().compileQuery(node, createQueryId());
}

/** The same SQL, which is compiled only once where it takes no values. */
export function compiledOnce(value: RawBuilder<unknown>): RawBuilder<unknown> {
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(value.toOperationNode(), createQueryId());
  return parameters.length === 0 ? sql.raw(text) : value;
}

/** Names for texts that come again; null for others. */
function statementNames(): (text: string) => string | null {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  let characters = 0;
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MOST_NAMED || text.length > LONGEST_NAMED) return null;
    if (characters + text.length > MOST_CHARACTERS) return null;
    if (seen.delete(text)) {
      const name = `nested_${names.size}`;
      names.set(text, name);
      characters += text.length;
      return name;
    }
    const [oldest] = seen;
    if (seen.size >= MOST_SEEN && oldest !== undefined) seen.delete(oldest);
    seen.add(text);
    return null;
  };
}
