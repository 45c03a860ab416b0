import { type AliasableExpression, type AliasedExpression, type Expression, type RawBuilder, sql } from 'kysely';

import { extract } from '../fragments.ts';
import { parts, queries } from './parts.ts';
import { DomainError } from '../../rules/errors.ts';

/*
 * One statement reads a row with its selected fields and the rows below it, as JSON arrays whose indexes are known.
 * Each type of the schema that has rows declares its fields once, in its own file.
 */

/** A selected field, with its arguments and its own selected fields. */
export interface PlanSelection {
  /** The response name: the alias, if there is one. */
  readonly key: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly selected: readonly PlanSelection[];
}

/** A value of a statement, as JSON, and how it is parsed; without `read` it stays as it is. */
export interface Column<Value = unknown> {
  readonly sql: AliasableExpression<unknown>;
  readonly read?: (json: unknown) => Value;
  /** The value in place of null. */
  readonly otherwise?: Value;
}

/** Tables with conditions and an order, of which nothing is selected yet. */
export type RowSource =
  | RawBuilder<unknown>
  | { select(value: AliasedExpression<unknown, 'item'>): AliasableExpression<unknown> };

/** By the properties of a row. */
export type Columns = Readonly<Record<string, Column>>;

export type RowOf<Of extends Columns> = {
  readonly [Property in keyof Of]: Of[Property] extends Column<infer Value> ? Value : never;
};

/** Rows of the types that other types have as fields. */
export interface Rows {
  readonly round: RowPlan;
  readonly prediction: RowPlan;
  readonly agent: RowPlan;
}

/** A row, of which only the selected fields are read. */
type RowPlan = (selected: readonly PlanSelection[]) => Column;

/** Reads a field whose value has fields along with the row. A `DomainError` becomes an error of this field alone. */
export type NestedField = (field: PlanSelection, rows: Rows) => Column;

/** The fields of a type of the schema, whose SQL uses one alias for the row. */
export interface RowType<Of extends Columns = Columns> {
  /** A column serves the field of the same name, which needs no other column. */
  readonly columns: Of;
  /** The columns from which resolvers compute the other fields. */
  readonly needs?: Readonly<Record<string, readonly (keyof Of & string)[]>>;
  /** Read for every row. */
  readonly always?: readonly (keyof Of & string)[];
  readonly nested?: Readonly<Record<string, NestedField>>;
  /** Columns of tables, each joined only where one of its columns is read. */
  readonly joined?: readonly { readonly columns: Columns; readonly from: RowSource }[];
}

/** Lets the compiler check the names. */
export function rowType<Of extends Columns>(type: RowType<Of>): RowType<Of> {
  return type;
}

/** JSON has no instants: `instant` reads them. */
type JsonExpression<Value> = AliasableExpression<Value> & ([Value] extends [Date | null] ? never : unknown);

export function plain<Value>(value: JsonExpression<Value>): Column<Value> {
  return { sql: value };
}

export function plainOr<Value>(otherwise: Value, value: AliasableExpression<Value | null>): Column<Value> {
  return { sql: value, otherwise };
}

export function constant<Value>(value: Value): Column<Value> {
  return { sql: parts.lit(null), read: () => value };
}

/** Exact decimals, as text: a JSON number would round them. */
export function decimal<Value extends string | null = string>(value: AliasableExpression<Value>): Column<Value> {
  return { sql: parts.cast(value, 'text') };
}

/** An instant, in the JSON as milliseconds. */
export function instant(value: AliasableExpression<Date>): Column<Date> {
  return { sql: milliseconds(value), read: (json) => new Date(Number(json)) };
}

export function instantOrNull(value: AliasableExpression<Date | null>): Column<Date | null> {
  return { sql: milliseconds(value), read: (json) => (json === null ? null : new Date(Number(json))) };
}

function milliseconds(value: AliasableExpression<unknown>) {
  return parts.cast(parts(extract('epoch', value), '*', sql.lit(1000)), 'float8');
}

/** Fields without arguments or fields of their own, for code that reads a row without a document. */
export function fieldsNamed(...names: readonly string[]): readonly PlanSelection[] {
  return names.map((name) => ({ key: name, name, args: {}, selected: [] }));
}

/** A JSON array. */
export function list(values: readonly Expression<unknown>[]): AliasableExpression<unknown> {
  return parts.fn('json_build_array', values);
}

/** The selected fields of a row; null where there is no row. */
export function row<Of extends Columns>(
  type: RowType<Of>,
  selected: readonly PlanSelection[],
  rows: Rows,
): Column<RowOf<Of> | null> {
  const columns = columnsOf(type, selected);
  const names = columns.map(([name]) => name);
  const nested = nestedOf(type, selected, rows);
  const keys = nested.map(([key]) => key);
  const all = list([...columns, ...nested].map(([, column]) => column.sql));
  return {
    sql: withJoined(type, names, all),
    read(json) {
      if (!Array.isArray(json)) return null;
      const found: Record<string | symbol, unknown> = {};
      columns.forEach(([name, column], at) => (found[name] = columnValue(column, json[at])));
      if (nested.length > 0)
        found[PREFETCHED] = [keys, nested.map(([, column], at) => columnValue(column, json[columns.length + at]))];
      return typedValue<RowOf<Of>>(found).value;
    },
  };
}

/** An object with these columns as properties, all of which are read. */
export function whole<Of extends Columns>(columns: Of): Column<RowOf<Of>> {
  const all = Object.entries(columns);
  return {
    sql: list(all.map(([, column]) => column.sql)),
    read(json) {
      const values: readonly unknown[] = Array.isArray(json) ? json : [];
      return typedValue<RowOf<Of>>(
        Object.fromEntries(all.map(([name, column], at) => [name, columnValue(column, values[at])])),
      ).value;
    },
  };
}

/** The columns of all selected fields, each once. */
function columnsOf({ columns, needs = {}, always = [] }: RowType, selected: readonly PlanSelection[]) {
  const names = new Set([...always, ...selected.flatMap(({ name }) => needs[name] ?? [name])]);
  return Object.entries(columns).filter(([name]) => names.has(name));
}

function withJoined({ joined = [] }: RowType, names: readonly string[], value: AliasableExpression<unknown>) {
  const read = joined.filter(({ columns }) => names.some((name) => Object.hasOwn(columns, name)));
  return read.reduce((found, { from }) => valueIn(from, found), value);
}

function valueIn(from: RowSource, value: AliasableExpression<unknown>): AliasableExpression<unknown> {
  const item = value.as('item');
  return 'select' in from ? from.select(item) : sql`(select ${item} from ${from})`;
}

function nestedOf({ nested = {} }: RowType, selected: readonly PlanSelection[], rows: Rows) {
  return selected.flatMap((field) => {
    const plan = nested[field.name];
    return plan === undefined ? [] : [[field.key, orRefusal(() => plan(field, rows))] as const];
  });
}

/** A refusal becomes the value; the execution of the field throws it. */
function orRefusal(plan: () => Column): Column {
  try {
    return plan();
  } catch (error) {
    if (error instanceof DomainError) return constant(error);
    throw error;
  }
}

export function valueOf<Value>(column: Column<Value>, json: unknown): Value {
  return typedValue<Value>(columnValue(column, json)).value;
}

function columnValue({ read, otherwise = null }: Column, json: unknown): unknown {
  return read === undefined ? (json ?? otherwise) : read(json);
}

interface TypedValue<Value> {
  readonly value: Value;
}

/** The value with its type, where no compiler can follow it: an object built from a list of columns. */
export function typedValue<Value>(value: unknown): TypedValue<Value> {
  return Object({ value });
}

/** The key of the nested values that a row was read with: two lists, of the fields' names in the answer and of their values. */
const PREFETCHED = Symbol('prefetched');

/** The value of this field that was read along with the row; undefined where the field's resolver must find it. */
export function prefetched(found: unknown, key: string | number): unknown {
  if (typeof found !== 'object' || found === null || !(PREFETCHED in found)) return undefined;
  const below: unknown = found[PREFETCHED];
  const [keys = [], values = []]: readonly (readonly unknown[])[] = Array.isArray(below) ? below : [];
  return values[keys.indexOf(key)];
}

/** An object with the values of fields, by their names in the answer. */
export function withPrefetched<Of extends object>(found: Of, values: readonly (readonly [string, unknown])[]): Of {
  return { ...found, [PREFETCHED]: [values.map(([key]) => key), values.map(([, value]) => value)] };
}

/** The value of the one row, or null. */
export function one<Value>(value: Column<Value>, from: RowSource): Column<Value> {
  return { ...value, sql: valueIn(from, value.sql) };
}

/** The values of the rows, in the order of `from`. */
export function many<Value>(value: Column<Value>, from: RowSource): Column<readonly Value[]> {
  return {
    sql: sql`(select coalesce(json_agg(x.item), '[]'::json) from ${valueIn(from, value.sql).as('x')})`,
    read: (json) => (Array.isArray(json) ? json.map((item) => valueOf(value, item)) : []),
  };
}

/** A field with a list of rows of this type. */
export function rowsOf(type: RowType, from: RowSource): NestedField {
  return (field, rows) => many(row(type, field.selected, rows), from);
}

/** `value` for the parent with this id, which its SQL calls `parent.id`. */
export function ofParent<Value>(id: AliasableExpression<number | null>, value: Column<Value>): Column<Value> {
  return one(value, parts.selectFrom(queries.selectNoFrom(id.as('id')).as('parent')));
}
