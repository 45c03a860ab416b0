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
  const [first] = rows;
  if (first === undefined) return;
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  const values = recordset(table, rows);
  const insert = sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${values}`;
  await (onlyNew ? sql`${insert} on conflict do nothing` : insert).execute(em.getKysely());
}

function recordset<Table extends keyof DB>(table: Table, rows: readonly object[]) {
  return sql<Row<Table>>`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`;
}
