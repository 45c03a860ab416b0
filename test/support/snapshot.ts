import { Client, type ClientConfig } from 'pg';

/** Rows have the fields that the statement names. */
export type Ask = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

/** All reads of `look` see one moment between two transactions, also while the service works. */
export async function snapshot<Seen>(connection: ClientConfig, look: (ask: Ask) => Promise<Seen>): Promise<Seen> {
  const client = new Client(connection);
  // If the server goes down, the failing statement reports it.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await look(async (sql, parameters) => (await client.query(sql, parameters && [...parameters])).rows);
  } finally {
    await client.end();
  }
}
