import {
  type CompiledQuery,
  createQueryId,
  type Expression,
  ExpressionWrapper,
  PostgresQueryCompiler,
  type RawBuilder,
  type SelectQueryNode,
  sql,
  type SqlBool,
} from 'kysely';

import type { DB } from '../entities/tables.ts';
import { SECOND } from '../rules/hours.ts';
import { parts } from './plan/parts.ts';
import { unnested } from './table-functions.ts';

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
  return parts.fn.any(onePlan(values));
}

/** These values behind a subquery. */
export function onePlan(values: readonly number[]) {
  return sql<number[]>`(select ${values}::int[])::int[]`;
}

/** A table `a` with a row for each of these ids. */
export function ids(of: readonly number[]) {
  return unnested('a', { id: [of, 'int'] });
}

/** A figure as a whole number of a unit, of which `times` are 1: sums of decimals take longer. */
export function wholeUnits(figure: Expression<unknown>, times: number, type: 'int4' | 'int8') {
  const units = times === 1 ? figure : parts(figure, '*', sql.lit(times));
  return parts.cast<number>(units, type);
}

/** A length of time. */
export function interval(ms: number) {
  return sql<Date>`make_interval(secs => ${sql.lit(ms / SECOND)})`;
}

/** A field of a time or of a length of time, exact; `epoch` is all of it in seconds. */
export function extract(field: 'epoch' | 'isodow' | 'minute', from: Expression<unknown>) {
  return sql<string>`extract(${sql.raw(field)} from ${from})`;
}

/** A length of time in seconds. */
export function seconds(length: Expression<unknown>) {
  return parts.cast<number>(extract('epoch', length), 'float8');
}

/** A property of a JSON object, as JSON or as text. */
export function property<Value>(json: Expression<unknown>, name: Expression<string>, as: '->' | '->>' = '->') {
  return sql<Value>`(${json} ${sql.raw(as)} ${name})`;
}

/** An element of an array, whose first is 1. */
export function element<Value>(array: Expression<readonly Value[] | null>, index: Expression<number>) {
  return sql<Value>`(${array})[${index}]`;
}

type Case<Value> = readonly [condition: Expression<SqlBool>, value: Expression<Value>];

/** The value of the first condition that is true. */
export function firstTrue<Value>(cases: readonly Case<Value>[], otherwise: Expression<Value>): Expression<Value> {
  const [first, ...others] = cases;
  if (first === undefined) return otherwise;
  const begun = parts.case().when(first[0]).then(first[1]);
  const all = others.reduce((so, [condition, value]) => so.when(condition).then(value), begun);
  return all.else(otherwise).end();
}
