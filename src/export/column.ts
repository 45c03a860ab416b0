import { type RawBuilder, sql } from 'kysely';

/**
 * What a column holds: `integer`; `number`, a decimal; `text`; `flag`, 1 or 0; `list`, texts that hold no space; `day`
 * and `second`, instants as REST writes the field of the same name; `instant`, ISO 8601 with milliseconds.
 */
export type ColumnKind = 'integer' | 'number' | 'text' | 'flag' | 'list' | 'day' | 'second' | 'instant';

/** One column of an export: the key in NDJSON, the heading in CSV. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Unit, range, and when it is null. */
  readonly description: string;
  readonly value: RawBuilder<unknown>;
}

export function column(name: string, kind: ColumnKind, value: RawBuilder<unknown>, description: string): Column {
  return { name, kind, value, description };
}

/** A row as the database gives it, by the columns' names. */
export type Row = Readonly<Record<string, unknown>>;

/** The columns as a statement selects them. */
export function selectList(columns: readonly Column[]): RawBuilder<unknown> {
  return sql.join(columns.map(({ name, value }) => sql`${value} as ${sql.id(name)}`));
}
