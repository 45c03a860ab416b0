import { type RawBuilder, sql } from 'kysely';

import { type Column as PlannedColumn, valueOf } from '../reads/plan/plan.ts';
import { joinedSeconds, spacedSeconds } from '../rules/hours.ts';
import { figureOf } from '../rules/payoffs.ts';

/**
 * What a column holds: `integer`; `number`, a decimal; `text`; `flag`, 1 or 0; `list`, texts that hold no space; `numbers`, a list of decimals; `day`
 * and `second`, instants as REST writes the field of the same name; `instant`, ISO 8601 with milliseconds.
 */
type ColumnKind = 'integer' | 'number' | 'text' | 'flag' | 'list' | 'numbers' | 'day' | 'second' | 'instant';

/** One column of an export: the key in NDJSON, the heading in CSV. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Unit, range, and when it is null. */
  readonly description: string;
  readonly value: PlannedColumn;
}

export function column(name: string, kind: ColumnKind, value: PlannedColumn, description: string): Column {
  return { name, kind, value, description };
}

/** A whole number of units of which so many make 1, as the decimal that it stands for. */
export function figure(units: number, value: PlannedColumn<number | null>): PlannedColumn<number | null> {
  return { ...value, read: (given) => figureOf(given === null ? null : Number(given), units) };
}

/** A row as the database gives it, by the columns' names. */
export type Row = Readonly<Record<string, unknown>>;

export function selectList(columns: readonly Column[]): RawBuilder<unknown> {
  return sql.join(columns.map(({ name, value }) => sql`${value.sql} as ${sql.id(name)}`));
}

/** A value of an export, the same in every format. */
export type ExportValue = number | string | readonly string[] | readonly number[] | null;

/** What exports show of what the database gave, which is not null. Each throws for what its kind does not hold. */
const SHOWN: Readonly<Record<Column['kind'], (given: unknown) => ExportValue>> = {
  integer: Number,
  number: Number,
  text: textOf,
  flag: (given) => (given === true ? 1 : 0),
  list: textsOf,
  numbers: (given) => textsOf(given).map(Number),
  day: (given) => spacedSeconds(instantOf(given)),
  second: (given) => joinedSeconds(instantOf(given)),
  instant: (given) => instantOf(given).toISOString(),
};

/** What the database gave for a column, as exports show it. */
export function exportValue({ kind, value }: Column, found: unknown): ExportValue {
  const given: unknown = found === null ? null : valueOf(value, found);
  return given === null ? null : SHOWN[kind](given);
}

function instantOf(given: unknown): Date {
  if (given instanceof Date) return given;
  throw new TypeError('A column of times holds something else');
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  throw new TypeError('A column of texts holds something else');
}

function textsOf(given: unknown): readonly string[] {
  if (Array.isArray(given)) return given.map(textOf);
  throw new TypeError('A column of lists holds something else');
}
