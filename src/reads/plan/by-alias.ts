import { type Nullable, type RawBuilder, sql } from 'kysely';

import type { DB, Row } from '../../entities/tables.ts';
import { type Column, decimal, instantOrNull, typedValue } from './plan.ts';

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type NamedColumns<Of, Name extends keyof Of & string> = { readonly [One in Name as CamelCase<One>]: Column<Of[One]> };

/** The columns that hold values of this type. */
type ColumnsOfType<Of, Value> = { [Name in keyof Of]: [Of[Name]] extends [Value | null] ? Name : never }[keyof Of] &
  string;

/** The columns of a row, each with its type. `plain`, `decimal` and `instant` read several under their GraphQL names. */
interface ColumnsOf<Of> {
  <Name extends keyof Of & string>(name: Name): RawBuilder<Of[Name]>;
  plain<Name extends Exclude<keyof Of & string, ColumnsOfType<Of, Date>>>(
    ...names: readonly Name[]
  ): NamedColumns<Of, Name>;
  decimal<Name extends ColumnsOfType<Of, string>>(...names: readonly Name[]): NamedColumns<Of, Name>;
  instant<Name extends ColumnsOfType<Of, Date>>(...names: readonly Name[]): NamedColumns<Of, Name>;
}

/** The columns of tables by their aliases in a statement; in `maybe` the aliases whose row may be missing, as in a left join. */
export function byAlias<Tables extends Readonly<Record<string, keyof DB>>, Maybe extends keyof Tables = never>(
  tables: Tables,
  ..._maybe: readonly Maybe[]
) {
  type Of = { readonly [Alias in keyof Tables]: Row<Tables[Alias]> };
  return typedValue<{ readonly [Alias in keyof Of]: ColumnsOf<Alias extends Maybe ? Nullable<Of[Alias]> : Of[Alias]> }>(
    Object.fromEntries(Object.keys(tables).map((alias) => [alias, columnsOf(alias)])),
  ).value;
}

function columnsOf(alias: string) {
  const column = (name: string) => sql.raw<never>(`${alias}.${name}`);
  const each = (read: (value: RawBuilder<never>) => Column) => {
    return (...names: readonly string[]) => Object.fromEntries(names.map((name) => [camel(name), read(column(name))]));
  };
  const kinds = { plain: each((value) => ({ sql: value })), decimal: each(decimal), instant: each(instantOrNull) };
  return Object.assign(column, kinds);
}

export function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
