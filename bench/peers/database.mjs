import { Pool } from 'pg';

/** The peers' tables are in their own database on the service's server. */
export const CONNECTION = JSON.parse(process.env.PEER_DATABASE ?? '{}');

/** 8 connections were fastest on two cores. */
export function openPool(connection = CONNECTION) {
  return new Pool({ ...connection, max: 8 });
}
