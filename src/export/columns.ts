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

/** The columns as a statement selects them. */
export function selectList(columns: readonly Column[]): RawBuilder<unknown> {
  return sql.join(columns.map(({ name, value }) => sql`${value.sql} as ${sql.id(name)}`));
}

/** A value of an export, the same in every format. */
export type ExportValue = number | string | readonly string[] | readonly number[] | null;

/** What the database gave for a column, as exports show it. Throws for what the column's kind does not hold. */
export function exportValue({ kind, value }: Column, found: unknown): ExportValue {
  const given: unknown = found === null ? null : valueOf(value, found);
  if (given === null) return null;
  switch (kind) {
    case 'integer':
    case 'number':
      return Number(given);
    case 'text':
      return textOf(given);
    case 'flag':
      return given === true ? 1 : 0;
    case 'list':
      return textsOf(given);
    case 'numbers':
      return textsOf(given).map(Number);
    case 'day':
      return spacedSeconds(instantOf(given));
    case 'second':
      return joinedSeconds(instantOf(given));
    case 'instant':
      return instantOf(given).toISOString();
  }
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
