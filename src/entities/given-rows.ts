import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type AliasedRawBuilder, type Insertable, sql } from 'kysely';

import type { DB, Row } from './tables.ts';

type ReadonlyValue<Value> = Value extends readonly (infer One)[] ? readonly One[] : Value;

type ReadonlyRow<Of> = { readonly [Name in keyof Of]: ReadonlyValue<Of[Name]> };

/** Refuses other names than those of columns. */
type ExactRow<One, Of> = One & { readonly [Other in Exclude<keyof One, keyof Of>]: never };

/**
 * Rows of a table, as a table `given` to select from; columns that they lack are null. They are one parameter, so that the
 * text of the statement does not depend on their number.
 */
export function givenRows<Table extends keyof DB, One extends Partial<ReadonlyRow<Row<Table>>>>(
  table: Table,
  rows: readonly ExactRow<One, Row<Table>>[],
): AliasedRawBuilder<Row<Table>, 'given'> {
  return recordset(table, rows).as('given');
}

/** Inserts rows, all with the columns of the first, in one statement; with `onlyNew`, those whose keys are not stored. */
export async function insertRows<Table extends keyof DB, One extends ReadonlyRow<Insertable<DB[Table]>>>(
  em: SqlEntityManager,
  table: Table,
  rows: readonly ExactRow<One, Row<Table>>[],
  { onlyNew = false } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const insert = insertion(table, rows);
  await (onlyNew ? sql`${insert} on conflict do nothing` : insert).execute(em.getKysely());
}

/** As `insertRows`; a row with a stored primary key replaces the stored one if that is earlier by its column `time`. */
export async function replaceRows<Table extends keyof DB, One extends ReadonlyRow<Insertable<DB[Table]>>>(
  em: SqlEntityManager,
  table: Table,
  rows: readonly ExactRow<One, Row<Table>>[],
  time: keyof One & string,
): Promise<void> {
  if (rows.length === 0) return;
  const replaced = sql.join(columnsOf(rows).map((name) => sql`${sql.ref(name)} = ${excluded(name)}`));
  await sql`${insertion(table, rows)} on conflict on constraint ${sql.ref(`${table}_pkey`)}
    do update set ${replaced} where ${sql.ref(`${table}.${time}`)} < ${excluded(time)}`.execute(em.getKysely());
}

const excluded = (name: string) => sql.ref(`excluded.${name}`);

function columnsOf([first]: readonly object[]): readonly string[] {
  return Object.keys(first ?? {});
}

function insertion(table: keyof DB, rows: readonly object[]) {
  const columns = sql.join(columnsOf(rows).map((name) => sql.ref(name)));
  return sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${recordset(table, rows)}`;
}

function recordset<Table extends keyof DB>(table: Table, rows: readonly object[]) {
  return sql<Row<Table>>`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`;
}
