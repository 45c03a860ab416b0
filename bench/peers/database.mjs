import { Pool } from 'pg';

/** Where the peers' tables are: the server of the service, and a database of its own there. */
export const CONNECTION = JSON.parse(process.env.PEER_DATABASE ?? '{}');

/** With 8 connections the peers were fastest on two cores. */
export function openPool(connection = CONNECTION) {
  return new Pool({ ...connection, max: 8 });
}
