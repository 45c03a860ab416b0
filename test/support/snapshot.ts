import { Client, type ClientConfig } from 'pg';

/** Asks the database; rows have the fields that the statement names. */
export type Ask = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

/** Everything that `look` asks is of one moment between two transactions, also while the service is at work. */
export async function snapshot<Seen>(connection: ClientConfig, look: (ask: Ask) => Promise<Seen>): Promise<Seen> {
  const client = new Client(connection);
  // A server that goes down meanwhile is told by the statement that fails.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await look(async (sql, parameters) => (await client.query(sql, parameters && [...parameters])).rows);
  } finally {
    await client.end();
  }
}
