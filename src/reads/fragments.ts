import {
  type AliasableExpression,
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
export type AliasedTables<Tables extends Readonly<Record<string, keyof DB>>> = DB & {
  readonly [Alias in keyof Tables]: DB[Tables[Alias]];
};

/** The text of this SQL with its parameters. */
export function compile(part: RawBuilder<unknown>): CompiledQuery {
  return new PostgresQueryCompiler().compileQuery(part.toOperationNode(), createQueryId());
}

/** The same SQL, compiled once: text around its parameters, for statements that are built for each request. */
export function compiled<Value>(part: Expression<Value>): RawBuilder<Value> {
  // A subquery gets parentheses.
  const whole = sql<Value>`${part}`;
  const { sql: text, parameters } = compile(whole);
  const texts = text.split(/\$\d+/);
  if (texts.length !== parameters.length + 1) return whole;
  return sql<Value>(Object.assign(texts, { raw: texts }), ...parameters);
}

/** The table that a query reads, and those that it joins. */
export function tablesOf(query: { toOperationNode(): SelectQueryNode }): RawBuilder<unknown> {
  const { from, joins = [] } = query.toOperationNode();
  const nodes = [...(from?.froms ?? []), ...joins].map((node) => new ExpressionWrapper(node));
  return sql.join(nodes, sql` `);
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

/** A number of lengths of time. */
export function intervals(count: Expression<unknown>, ms: number) {
  return parts(count, '*', interval(ms)).$castTo<Date>();
}

/** A field of a time or of a length of time, exact; `epoch` is all of it in seconds. */
export function extract(field: 'epoch' | 'isodow', from: Expression<unknown>) {
  return sql<number>`extract(${sql.raw(field)} from ${from})`;
}

/** A length of time in seconds. */
export function seconds<Value extends number | null = number>(length: Expression<unknown>) {
  return parts.cast<Value>(extract('epoch', length), 'float8');
}

/** The number of whole units of this length in a length of time, or since 1970. */
export function wholeTimes(length: Expression<unknown>, ms: number) {
  const times = parts(extract('epoch', length), '/', sql.lit(ms / SECOND));
  return parts.cast<number>(parts.fn('floor', [times]), 'integer');
}

/** A property of a JSON object, as JSON or as text. */
export function property<Value>(json: Expression<unknown>, name: Expression<string>, as: '->' | '->>' = '->') {
  return sql<Value>`(${json} ${sql.raw(as)} ${name})`;
}

/** An element of an array, whose first is 1. */
export function element<Value>(array: Expression<readonly Value[] | null>, index: Expression<number>) {
  return sql<Value>`(${array})[${index}]`;
}

type CaseBranch<Value> = readonly [condition: Expression<SqlBool>, value: Expression<Value>];

/** The value of the first condition that is true. */
export function firstTrue<Value>(
  cases: readonly CaseBranch<Value>[],
  otherwise: AliasableExpression<Value>,
): AliasableExpression<Value> {
  const [first, ...others] = cases;
  if (first === undefined) return otherwise;
  const begun = parts.case().when(first[0]).then(first[1]);
  return others
    .reduce((so, [condition, value]) => so.when(condition).then(value), begun)
    .else(otherwise)
    .end();
}
