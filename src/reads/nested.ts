import { type RawBuilder, sql } from 'kysely';

import { DomainError } from '../rules/errors.ts';

/** A field that is asked of a row, with its arguments and what is asked of its value. */
export interface Wanted {
  /** Its name in the answer. */
  readonly key: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly selected: readonly Wanted[];
}

/** One JSON value of a statement, and what is made of it. */
export interface Nested {
  readonly sql: RawBuilder<unknown>;
  readonly read: (json: unknown) => unknown;
}

/** Which columns of a kind of row its fields need, and which other rows hang on it. Its SQL knows the row by one alias. */
export interface RowKind {
  /** By the property that resolvers know the column by. */
  readonly columns: Readonly<Record<string, Nested>>;
  /** Read for every row: what loaders ask by. */
  readonly always: readonly string[];
  /** The columns of a field whose name is not the column's. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** Fields that are read along, as one value each; null where this one is left to its resolver. */
  readonly along: Readonly<Record<string, (wanted: Wanted) => Nested | null>>;
  /** A property that depends on all that is wanted. */
  readonly whole?: { readonly property: string; readonly of: (wanted: readonly Wanted[]) => Nested | null };
}

/** What was read along with a row, by the field's name in the answer. */
const ALONG = Symbol('read along');

/** What was read along for this field of a row; undefined where it is for the field's resolver to find. */
export function readAlong(row: unknown, key: string | number): unknown {
  if (typeof row !== 'object' || row === null || !(ALONG in row)) return undefined;
  const along: unknown = row[ALONG];
  return typeof along === 'object' && along !== null ? Reflect.get(along, key) : undefined;
}

/** Columns of the table `alias` as they come, by property. */
export function columnsOf(alias: string, names: Readonly<Record<string, string>>): Readonly<Record<string, Nested>> {
  const columns = Object.entries(names).map(([property, name]) => [property, plain(sql.ref(`${alias}.${name}`))]);
  return Object.fromEntries(columns);
}

/** A value as it comes. */
export function plain(value: RawBuilder<unknown>): Nested {
  return { sql: value, read: (json) => json };
}

/** Exact decimals, which a JSON number would round. */
export function decimal(value: RawBuilder<unknown>): Nested {
  return plain(sql`${value}::text`);
}

/** An instant, as milliseconds on its way. */
export function instant(value: RawBuilder<unknown>): Nested {
  return {
    sql: sql`(extract(epoch from ${value}) * 1000)::float8`,
    read: (json) => (typeof json === 'number' ? new Date(json) : null),
  };
}

/** A row of which only what is wanted is read. */
export function nestedRow(kind: RowKind, wanted: readonly Wanted[]): Nested {
  const along = wanted.flatMap((one) => {
    const nested = alongOf(kind, one);
    return nested === null ? [] : [{ key: one.key, nested }];
  });
  const keys = new Set(along.map(({ key }) => key));
  const needed = wanted.flatMap(({ key, name }) => (keys.has(key) ? [] : (kind.needs[name] ?? [name])));
  const columns = [...new Set([...kind.always, ...needed])].flatMap((property) => {
    const nested = kind.columns[property];
    return nested === undefined ? [] : [{ property, nested }];
  });
  const whole = kind.whole?.of(wanted);
  if (kind.whole && whole) columns.push({ property: kind.whole.property, nested: whole });
  const values = [...columns, ...along].map(({ nested }) => nested);
  const names = columns.map(({ property }) => property);
  return {
    sql: sql`json_build_array(${sql.join(values.map((value) => value.sql))})`,
    read(json) {
      if (!Array.isArray(json)) return null;
      const row: Record<string | symbol, unknown> = {};
      names.forEach((name, at) => (row[name] = values[at]?.read(json[at])));
      if (along.length > 0) row[ALONG] = valuesAlong(along, json.slice(names.length));
      return row;
    },
  };
}

function valuesAlong(along: readonly { readonly key: string; readonly nested: Nested }[], json: readonly unknown[]) {
  const values: Record<string, unknown> = {};
  along.forEach(({ key, nested }, at) => (values[key] = nested.read(json[at])));
  return values;
}

/** The field's resolver refuses wrong arguments, at its place in the answer. */
function alongOf({ along }: RowKind, wanted: Wanted): Nested | null {
  try {
    return along[wanted.name]?.(wanted) ?? null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** The one row of `from`, or null. */
export function nestedOne(row: Nested, from: RawBuilder<unknown>): Nested {
  return { sql: sql`(select ${row.sql} from ${from})`, read: row.read };
}

/** The rows of `from`, which brings them in order. */
export function nestedMany(row: Nested, from: RawBuilder<unknown>): Nested {
  return {
    sql: sql`(select coalesce(json_agg(x.item), '[]'::json) from (select ${row.sql} as item from ${from}) x)`,
    read: (json) => (Array.isArray(json) ? json.map(row.read) : []),
  };
}

/** `value` for the parent with this id, which its SQL calls `parent.id`. */
export function ofParent(id: RawBuilder<unknown>, value: Nested): Nested {
  return { sql: sql`(select ${value.sql} from (select ${id} as id) parent)`, read: value.read };
}
