import {
  createQueryId,
  type Expression,
  expressionBuilder,
  ExpressionWrapper,
  PostgresQueryCompiler,
  type RawBuilder,
  type SelectQueryNode,
  sql,
} from 'kysely';

import type { DB } from '../entities/tables.ts';

/** All tables, and some under aliases. */
export type Aliased<Tables extends Readonly<Record<string, keyof DB>>> = DB & {
  readonly [Alias in keyof Tables]: DB[Tables[Alias]];
};

/** SQL without values, compiled once: statements that are built for each request contain it as text. */
export function compiled<Value>(part: Expression<Value>): RawBuilder<Value> {
  const node = sql`${part}`.toOperationNode();
  return sql.raw<Value>(new PostgresQueryCompiler().compileQuery(node, createQueryId()).sql);
}

interface Query {
  readonly toOperationNode: () => SelectQueryNode;
}

/** The table that a query reads, and those that it joins. */
export function tablesOf(query: Query): RawBuilder<unknown> {
  const { from, joins = [] } = query.toOperationNode();
  return spaced([...(from?.froms ?? []), ...joins]);
}

/** The tables that a query joins, for another query that has its first one. */
export function joinsOf(query: Query): RawBuilder<unknown> {
  return spaced(query.toOperationNode().joins ?? []);
}

function spaced(nodes: readonly ConstructorParameters<typeof ExpressionWrapper>[0][]): RawBuilder<unknown> {
  return sql.join(
    nodes.map((node) => new ExpressionWrapper(node)),
    sql` `,
  );
}

/** Any of these values, as one parameter: the text of a statement does not vary with their number. */
export function anyOf<Value>(values: readonly Value[]) {
  const of = expressionBuilder<DB>();
  return of.fn.any(of.val(values));
}

/** A table `a` with a row for each of these ids. */
export function ids(of: readonly number[]) {
  return sql<{ readonly id: number }>`unnest(${of}::int[])`.as<'a'>(sql`a(id)`);
}

/** A figure as a whole number of a unit, of which `times` are 1: sums of decimals take longer. */
export function wholeUnits(figure: Expression<unknown>, times: number, type: 'int4' | 'int8') {
  const value = times === 1 ? figure : sql`(${figure} * ${sql.lit(times)})`;
  return sql<number>`${value}::${sql.raw(type)}`;
}
