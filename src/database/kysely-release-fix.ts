import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';

const BEGIN = /^(begin|start transaction)\b/;
const ROLLBACK = 'rollback';

/**
 * Makes a transaction give its connection back to the pool also when the database cut it. Kysely keeps it for good when
 * `begin` or `rollback` fails (kysely issue 1990; without that issue this file goes): ten cut transactions would stand the service still, and one keeps a
 * stop waiting. So the transaction's first statement reports a failed `begin`, and a rollback never fails; pg drops
 * the connections that are broken when it gets them back.
 */
export async function returnWhenCut(connection: unknown): Promise<void> {
  if (!isConnection(connection)) throw new TypeError('MikroORM handed over something else than a connection of Kysely');
  const execute = connection.executeQuery.bind(connection);
  let unbegun: { readonly cause: unknown } | null = null;
  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    try {
      if (unbegun !== null && query.sql !== ROLLBACK) throw unbegun.cause;
      return await execute<Row>(query);
    } catch (cause) {
      if (BEGIN.test(query.sql)) unbegun = { cause };
      else if (query.sql !== ROLLBACK) throw cause;
      return { rows: [] };
    } finally {
      if (query.sql === ROLLBACK) unbegun = null;
    }
  };
}

function isConnection(value: unknown): value is DatabaseConnection {
  return typeof value === 'object' && value !== null && 'executeQuery' in value;
}
