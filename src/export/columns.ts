import { type Column as PlannedColumn, valueOf } from '../reads/plan/plan.ts';
import { joinedSeconds, spacedSeconds } from '../rules/hours.ts';
import { figureOf } from '../rules/payoffs.ts';

/**
 * The type of a column. `number` is a decimal, `flag` 1 or 0, `list` texts without spaces, `numbers` a list of decimals.
 * `day` and `second` are instants as REST writes the field of the same name; `instant` is ISO 8601 with milliseconds.
 */
type ColumnKind = 'integer' | 'number' | 'text' | 'flag' | 'list' | 'numbers' | 'day' | 'second' | 'instant';

export interface Column {
  /** The key in NDJSON, the heading in CSV. */
  readonly name: string;
  readonly kind: ColumnKind;
  /** Unit, range, and when it is null. */
  readonly description: string;
  readonly value: PlannedColumn;
}

export function column(name: string, kind: ColumnKind, value: PlannedColumn, description: string): Column {
  return { name, kind, value, description };
}

/** A whole number of units as a decimal; `units` of them make 1. */
export function figure(units: number, value: PlannedColumn<number | null>): PlannedColumn<number | null> {
  return { ...value, read: (given) => figureOf(given === null ? null : Number(given), units) };
}

/** A row as the database returns it, by the columns' names. */
export type Row = Readonly<Record<string, unknown>>;

/** A value of an export, the same in every format. */
export type ExportValue = number | string | readonly string[] | readonly number[] | null;

/** The value of an export for one of the database that is not null. Each throws for a value of another type. */
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

/** A column's value in the database, as exports show it. */
export function exportValue({ kind, value }: Column, found: unknown): ExportValue {
  const given: unknown = found === null ? null : valueOf(value, found);
  return given === null ? null : SHOWN[kind](given);
}

function instantOf(given: unknown): Date {
  if (given instanceof Date) return given;
  throw new TypeError('A column of times must hold only times');
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  throw new TypeError('A column of texts must hold only texts');
}

function textsOf(given: unknown): readonly string[] {
  if (Array.isArray(given)) return given.map(textOf);
  throw new TypeError('A column of lists must hold only lists');
}
