import { type RawBuilder, sql } from 'kysely';

import { DomainError } from '../rules/errors.ts';
import { listText, type Member, objectText } from './answer-text.ts';

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
  /** SQL of the value as it stands in the answer, NULL for null; unset where a resolver has a part in it. */
  readonly text?: RawBuilder<unknown> | undefined;
}

/** Which columns of a kind of row its fields need, and which other rows hang on it. Its SQL knows the row by one alias. */
export interface RowKind {
  /** By the property that resolvers know the column by. */
  readonly columns: Readonly<Record<string, Nested>>;
  /** Read for every row: what loaders ask by. */
  readonly always: readonly string[];
  /** The columns of a field whose name is not the column's. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** How fields stand in the answer that are not columns, or not as they come: what their resolvers return, in SQL. */
  readonly texts: Readonly<Record<string, FieldText>>;
  /** Fields that are read along, as one value each; null where this one is left to its resolver. */
  readonly along: Readonly<Record<string, (wanted: Wanted) => Nested | null>>;
  /** A property that depends on all that is wanted, and the same fields in SQL, of tables that are joined for them. */
  readonly whole?: {
    readonly property: string;
    readonly of: (wanted: readonly Wanted[]) => Nested | null;
    readonly texts: Readonly<Record<string, FieldText>>;
    readonly from: RawBuilder<unknown>;
  };
}

/** A field's value in SQL: as JSON, or as a type whose text is JSON. One with arguments may depend on them. */
export type FieldText = RawBuilder<unknown> | ((wanted: Wanted) => RawBuilder<unknown> | undefined);

/** What was read along with a row, by the field's name in the answer. */
const ALONG = Symbol('read along');

/** What was read along for this field of a row; undefined where it is for the field's resolver to find. */
export function readAlong(row: unknown, key: string | number): unknown {
  if (typeof row !== 'object' || row === null || !(ALONG in row)) return undefined;
  const along: unknown = row[ALONG];
  return typeof along === 'object' && along !== null ? Reflect.get(along, key) : undefined;
}

/** Columns of the table `alias` that resolvers take as they come, by property. */
export function columnsOf(alias: string, names: Readonly<Record<string, string>>): Readonly<Record<string, Nested>> {
  return byProperty(names, (name) => plain(sql.ref(`${alias}.${name}`)));
}

/** The same of whole numbers, which fields of these names show as they are. */
export function numbersOf(alias: string, names: Readonly<Record<string, string>>): Readonly<Record<string, Nested>> {
  return byProperty(names, (name) => number(sql.ref(`${alias}.${name}`)));
}

/** The same of texts. */
export function stringsOf(alias: string, names: Readonly<Record<string, string>>): Readonly<Record<string, Nested>> {
  return byProperty(names, (name) => string(sql.ref(`${alias}.${name}`)));
}

function byProperty(names: Readonly<Record<string, string>>, columnOf: (name: string) => Nested) {
  return Object.fromEntries(Object.entries(names).map(([property, name]) => [property, columnOf(name)]));
}

/** A whole number that is shown as it comes. */
export function number(value: RawBuilder<unknown>): Nested {
  return { ...plain(value), text: value };
}

/** A text that is shown as it comes. */
export function string(value: RawBuilder<unknown>): Nested {
  return { ...plain(value), text: sql`to_json(${value})` };
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

/** A row of some kind, of which only what is wanted is read. */
export type RowPlan = (wanted: readonly Wanted[]) => Nested;

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
  const reads = columns.map(({ nested }) => nested.read);
  const readsAlong = along.map(({ key, nested }) => ({ key, read: nested.read }));
  return {
    sql: sql`json_build_array(${sql.join(values.map((value) => value.sql))})`,
    text: rowText(kind, wanted, new Map(along.map(({ key, nested }) => [key, nested]))),
    read(json) {
      if (!Array.isArray(json)) return null;
      const row: Record<string | symbol, unknown> = {};
      names.forEach((name, at) => (row[name] = reads[at]?.(json[at])));
      if (readsAlong.length > 0) row[ALONG] = valuesAlong(readsAlong, json.slice(names.length));
      return row;
    },
  };
}

/** Unset unless every field that is wanted is known in SQL. */
function rowText(
  { columns, texts, whole }: RowKind,
  wanted: readonly Wanted[],
  along: ReadonlyMap<string, Nested>,
): RawBuilder<unknown> | undefined {
  const members: Member[] = [];
  let isJoined = false;
  for (const one of wanted) {
    const ofWhole = whole?.texts[one.name];
    const found = ofWhole ?? texts[one.name];
    const value = along.has(one.key)
      ? along.get(one.key)?.text
      : ((typeof found === 'function' ? found(one) : found) ?? columns[one.name]?.text);
    if (value === undefined) return undefined;
    isJoined ||= ofWhole !== undefined;
    members.push({ key: one.key, value });
  }
  const text = objectText(members);
  return whole && isJoined ? sql`(select ${text} from ${whole.from})` : text;
}

function valuesAlong(
  along: readonly { readonly key: string; readonly read: Nested['read'] }[],
  json: readonly unknown[],
) {
  // Keys are the caller's: an object with a prototype would have values for `toString` that nobody read.
  const values: Record<string, unknown> = Object.create(null);
  along.forEach(({ key, read }, at) => (values[key] = read(json[at])));
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
  return {
    sql: sql`(select ${row.sql} from ${from})`,
    read: row.read,
    text: row.text && sql`(select ${row.text} from ${from})`,
  };
}

/** The rows of `from`, which brings them in order. */
export function nestedMany({ sql: row, read, text }: Nested, from: RawBuilder<unknown>): Nested {
  return {
    sql: sql`(select coalesce(json_agg(x.item), '[]'::json) from (select ${row} as item from ${from}) x)`,
    read: (json) => (Array.isArray(json) ? json.map((one) => read(one)) : []),
    text: text && listText(text, from),
  };
}

/** `value` for the parent with this id, which its SQL calls `parent.id`. */
export function ofParent(id: RawBuilder<unknown>, value: Nested): Nested {
  const from = sql`from (select ${id} as id) parent`;
  return {
    sql: sql`(select ${value.sql} ${from})`,
    read: value.read,
    text: value.text && sql`(select ${value.text} ${from})`,
  };
}
