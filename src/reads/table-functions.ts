import { type Expression, type RawBuilder, sql } from 'kysely';

/* Lists, JSON and the values of functions as tables. A list is one parameter: texts of statements do not vary with its length. */

type Scalar = 'int' | 'smallint' | 'bigint' | 'float8' | 'numeric' | 'boolean' | 'text' | 'timestamptz' | 'jsonb';

/** An array with elements of this type. */
export function arrayOf<Value>(values: readonly Value[], type: Scalar): RawBuilder<Value[]> {
  return sql<Value[]>`${values}::${sql.raw(type)}[]`;
}

/** Columns as lists with the types of their elements. */
type Lists = Readonly<Record<string, readonly [values: readonly unknown[], type: Scalar]>>;

type RowOf<Columns extends Lists> = { readonly [Name in keyof Columns]: Columns[Name][0][number] };

/** A table with these parallel lists as its columns. */
export function unnested<Alias extends string, Columns extends Lists>(alias: Alias, columns: Columns) {
  return unnest<RowOf<Columns>>(columns).as<Alias>(tableAlias(alias, Object.keys(columns)));
}

/** The same with a column `place`, which counts the rows from 1. */
export function numberedRows<Alias extends string, Columns extends Lists>(alias: Alias, columns: Columns) {
  return inOrder<RowOf<Columns>, Alias>(alias, unnest(columns), Object.keys(columns));
}

function unnest<Row>(columns: Lists): RawBuilder<Row> {
  return sql<Row>`unnest(${sql.join(Object.values(columns).map((list) => arrayOf(...list)))})`;
}

/** A table of the values that a function returns as `item`, with the same column `place`. */
export function numberedItems<Alias extends string, Item>(alias: Alias, call: Expression<Item>) {
  return inOrder<{ readonly item: Item }, Alias>(alias, call, ['item']);
}

function inOrder<Row, Alias extends string>(alias: Alias, call: Expression<unknown>, names: readonly string[]) {
  const rows = sql<Row & { readonly place: number }>`${call} with ordinality`;
  return rows.as<Alias>(tableAlias(alias, [...names, 'place']));
}

/** A table with these rows, by way of JSON. */
export function recordset<Alias extends string, Row extends object>(
  alias: Alias,
  rows: readonly Row[],
  types: { readonly [Name in keyof Row & string]-?: Scalar | `${Scalar}[]` },
) {
  const columns = Object.entries<string>(types).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`);
  return sql<Row>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<Alias>(tableAlias(alias, columns));
}

function tableAlias(alias: string, columns: readonly (string | Expression<unknown>)[]): RawBuilder<unknown> {
  const all = columns.map((one) => (typeof one === 'string' ? sql.id(one) : one));
  return sql`${sql.id(alias)}(${sql.join(all)})`;
}
