import { type RawBuilder, sql } from 'kysely';

import { DomainError } from '../../rules/errors.ts';

/*
 * How a row is read with all that is selected of it, and of the rows that hang on it, in one statement: as one JSON value
 * that holds arrays, whose places are known. Each type of the schema that has rows declares its fields once, in its own file.
 */

/** A field that is selected of a row, with its arguments and what is selected of its value. */
export interface FieldSelection {
  /** Its name in the answer. */
  readonly key: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly selected: readonly FieldSelection[];
}

/** A value of a statement, as JSON, and what is made of it; without `read` it is taken as it comes. */
export interface Column<Value = unknown> {
  readonly sql: RawBuilder<unknown>;
  readonly read?: (json: unknown) => Value;
  /** What stands for null. */
  readonly otherwise?: Value;
}

/** By the properties of a row. */
export type Columns = Readonly<Record<string, Column>>;

export type RowOf<Of extends Columns> = {
  readonly [Property in keyof Of]: Of[Property] extends Column<infer Value> ? Value : never;
};

/** Rows of the types that hang on others, without those that these hang on. */
export interface Rows {
  readonly round: RowPlan;
  readonly prediction: RowPlan;
  readonly agent: RowPlan;
}

/** A row of some type of which only what is selected is read. */
export type RowPlan = (selected: readonly FieldSelection[]) => Column;

/** A field whose value has fields: how it is read with the row. What it refuses is refused at its place in the answer. */
export type NestedField = (field: FieldSelection, rows: Rows) => Column;

/** The fields of a type of the schema. Its SQL knows a row by one alias. */
export interface RowType<Of extends Columns = Columns> {
  /** A field with the name of a column is that column, or is made of it alone. */
  readonly columns: Of;
  /** The columns of every other field that resolvers make of some. */
  readonly needs?: Readonly<Record<string, readonly (keyof Of & string)[]>>;
  /** Read for every row. */
  readonly always?: readonly (keyof Of & string)[];
  readonly nested?: Readonly<Record<string, NestedField>>;
  /** Columns of a table that is joined where one of them is read. */
  readonly joined?: { readonly columns: Columns; readonly from: RawBuilder<unknown> };
}

/** These fields, whose names the compiler checks. */
export function rowType<Of extends Columns>(type: RowType<Of>): RowType<Of> {
  return type;
}

/** JSON has no instants: they are read by `instant`. */
type AsJson<Value> = RawBuilder<Value> & ([Value] extends [Date | null] ? never : unknown);

/** A value as it comes. */
export function plain<Value>(value: AsJson<Value>): Column<Value> {
  return { sql: value };
}

/** A value as it comes, or this one instead of none. */
export function plainOr<Value>(otherwise: Value, value: RawBuilder<Value | null>): Column<Value> {
  return { sql: value, otherwise };
}

export function constant<Value>(value: Value): Column<Value> {
  return { sql: sql`null`, read: () => value };
}

/** Exact decimals, which a JSON number would round. */
export function decimal<Value extends string | null = string>(value: RawBuilder<Value>): Column<Value> {
  return { sql: sql`${value}::text` };
}

/** An instant, as milliseconds on its way. */
export function instant(value: RawBuilder<Date>): Column<Date> {
  return { sql: milliseconds(value), read: (json) => new Date(Number(json)) };
}

export function instantOrNull(value: RawBuilder<Date | null>): Column<Date | null> {
  return { sql: milliseconds(value), read: (json) => (json === null ? null : new Date(Number(json))) };
}

function milliseconds(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(extract(epoch from ${value}) * 1000)::float8`;
}

/** Fields without arguments and without fields of their own, for code that reads a row of its own accord. */
export function fieldsNamed(...names: readonly string[]): readonly FieldSelection[] {
  return names.map((name) => ({ key: name, name, args: {}, selected: [] }));
}

/** A row of which what is selected is read; null where there is none. */
export function row<Of extends Columns>(
  type: RowType<Of>,
  selected: readonly FieldSelection[],
  rows: Rows,
): Column<RowOf<Of> | null> {
  const columns = columnsOf(type, selected);
  const names = columns.map(([name]) => name);
  const values = columns.map(([, column]) => column);
  const nested = nestedOf(type, selected, rows);
  const parts = [...values, ...nested.map(({ column }) => column)].map((part) => part.sql);
  return {
    sql: withJoined(type, names, sql`json_build_array(${sql.join(parts)})`),
    read(json) {
      if (!Array.isArray(json)) return null;
      const found: Record<string | symbol, unknown> = {};
      values.forEach((column, at) => (found[names[at] ?? ''] = taken(column, json[at])));
      if (nested.length > 0)
        found[PREFETCHED] = byKey(nested.map(({ key, column }, at) => [key, taken(column, json[names.length + at])]));
      return made<RowOf<Of>>(found).value;
    },
  };
}

/** An object with these columns for properties, of which all are read. */
export function whole<Of extends Columns>(columns: Of): Column<RowOf<Of>> {
  const all = Object.entries(columns);
  return {
    sql: sql`json_build_array(${sql.join(all.map(([, column]) => column.sql))})`,
    read(json) {
      const values: readonly unknown[] = Array.isArray(json) ? json : [];
      return made<RowOf<Of>>(Object.fromEntries(all.map(([name, column], at) => [name, taken(column, values[at])])))
        .value;
    },
  };
}

/** The columns of every field that is selected, each once. */
function columnsOf({ columns, needs = {}, always = [] }: RowType, selected: readonly FieldSelection[]) {
  const names = new Set([...always, ...selected.flatMap(({ name }) => needs[name] ?? [name])]);
  return Object.entries(columns).filter(([name]) => names.has(name));
}

function withJoined({ joined }: RowType, names: readonly string[], value: RawBuilder<unknown>) {
  if (joined === undefined || !names.some((name) => Object.hasOwn(joined.columns, name))) return value;
  return sql`(select ${value} from ${joined.from})`;
}

function nestedOf({ nested = {} }: RowType, selected: readonly FieldSelection[], rows: Rows) {
  return selected.flatMap((field) => {
    const plan = nested[field.name];
    return plan === undefined ? [] : [{ key: field.key, column: orRefusal(() => plan(field, rows)) }];
  });
}

/** A refusal is the value: whoever executes the field throws it. */
function orRefusal(plan: () => Column): Column {
  try {
    return plan();
  } catch (error) {
    if (error instanceof DomainError) return constant(error);
    throw error;
  }
}

export function valueOf<Value>(column: Column<Value>, json: unknown): Value {
  return made<Value>(taken(column, json)).value;
}

function taken({ read, otherwise = null }: Column, json: unknown): unknown {
  return read === undefined ? (json ?? otherwise) : read(json);
}

interface Made<Value> {
  readonly value: Value;
}

/** What the columns of a statement make up is of their types; the statement itself no compiler sees. */
export function made<Value>(value: unknown): Made<Value> {
  return Object({ value });
}

/** What a row was read with, by the field's name in the answer. */
const PREFETCHED = Symbol('prefetched');

/** What was read for this field of a row along with it; undefined where the field's resolver is to find it. */
export function prefetched(found: unknown, key: string | number): unknown {
  if (typeof found !== 'object' || found === null || !(PREFETCHED in found)) return undefined;
  const values: unknown = found[PREFETCHED];
  return typeof values === 'object' && values !== null ? Reflect.get(values, key) : undefined;
}

/** An object with the values of fields, by their names in the answer. */
export function withPrefetched<Of extends object>(found: Of, values: readonly (readonly [string, unknown])[]): Of {
  return { ...found, [PREFETCHED]: byKey(values) };
}

function byKey(values: readonly (readonly [string, unknown])[]) {
  // Keys are the caller's: an object with a prototype would have values for `toString` that nobody read.
  const found: Record<string, unknown> = Object.create(null);
  for (const [key, value] of values) found[key] = value;
  return found;
}

/** The one row of `from`, or null. */
export function one<Value>(value: Column<Value>, from: RawBuilder<unknown>): Column<Value> {
  return { ...value, sql: sql`(select ${value.sql} from ${from})` };
}

/** The rows of `from`, which brings them in order. */
export function many<Value>(value: Column<Value>, from: RawBuilder<unknown>): Column<readonly Value[]> {
  return {
    sql: sql`(select coalesce(json_agg(x.item), '[]'::json) from (select ${value.sql} as item from ${from}) x)`,
    read: (json) => (Array.isArray(json) ? json.map((item) => valueOf(value, item)) : []),
  };
}

/** A field of rows of this type, which `from` brings in order. */
export function rowsOf(type: RowType, from: RawBuilder<unknown>): NestedField {
  return ({ selected }, rows) => many(row(type, selected, rows), from);
}

/** `value` for the parent with this id, which its SQL calls `parent.id`. */
export function ofParent<Value>(id: RawBuilder<unknown>, value: Column<Value>): Column<Value> {
  return one(value, sql`(select ${id} as id) parent`);
}
