import {
  type CompiledQuery,
  createQueryId,
  type Expression,
  ExpressionWrapper,
  PostgresQueryCompiler,
  type RawBuilder,
  type SelectQueryNode,
  sql,
} from 'kysely';

import type { DB } from '../entities/tables.ts';
import { SECOND } from '../rules/hours.ts';
import { parts } from './plan/parts.ts';

/** All tables, and some under aliases. */
export type Aliased<Tables extends Readonly<Record<string, keyof DB>>> = DB & {
  readonly [Alias in keyof Tables]: DB[Tables[Alias]];
};

/** The text of this SQL with its parameters. A subquery gets parentheses. */
export function compile(part: Expression<unknown>): CompiledQuery {
  return new PostgresQueryCompiler().compileQuery(sql`${part}`.toOperationNode(), createQueryId());
}

/** The same SQL, compiled once: text around its parameters, for statements that are built for each request. */
export function compiled<Value>(part: Expression<Value>): RawBuilder<Value> {
  const { sql: text, parameters } = compile(part);
  const texts = text.split(/\$\d+/);
  if (texts.length !== parameters.length + 1) return sql<Value>`${part}`;
  return sql<Value>(Object.assign(texts, { raw: texts }), ...parameters);
}

interface Query {
  readonly toOperationNode: () => SelectQueryNode;
}

/** The table that a query reads, and those that it joins. */
export function tablesOf(query: Query): RawBuilder<unknown> {
  const { from, joins = [] } = query.toOperationNode();
  return spaced([...(from?.froms ?? []), ...joins]);
}

function spaced(nodes: readonly ConstructorParameters<typeof ExpressionWrapper>[0][]): RawBuilder<unknown> {
  return sql.join(
    nodes.map((node) => new ExpressionWrapper(node)),
    sql` `,
  );
}

/** Any of these values, as one parameter: the text of a statement does not vary with their number. */
export function anyOf<Value>(values: readonly Value[]) {
  return parts.fn.any(parts.val(values));
}

/** Like `anyOf`, but behind a subquery: the planner cannot count the values, so one plan serves any number of them. */
export function anyOfOnePlan(values: readonly number[]) {
  return parts.fn.any(sql<number[]>`(select ${values}::int[])::int[]`);
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

/** A length of time. */
export function interval(ms: number) {
  return sql<Date>`make_interval(secs => ${sql.lit(ms / SECOND)})`;
}
