import { setTimeout as delay } from 'node:timers/promises';

import type { ClientConfig } from 'pg';

import type { Deployment } from '../support/deployment.ts';
import type { Load } from './load.ts';
import { differences } from './oracle.ts';
import { snapshot } from '../support/snapshot.ts';
import type { Subscriber } from '../support/subscriber.ts';

/** Processes, those who submit to them and those who listen. */
export interface Arena {
  readonly site: Deployment;
  readonly load: Load;
  readonly subscribers: readonly Subscriber[];
  /** Whether no hour may be missing, however fast the clock. */
  readonly everyHour?: boolean;
}

const SETTLED_MS = 180_000;
const LOOK_AGAIN_MS = 50;

/**
 * Ends the load, lets the running service decide what is over and tell everybody, judges, and stops it in order.
 * Returns all that is wrong.
 */
export async function settle({ site, load, subscribers, everyHour = false }: Arena): Promise<readonly string[]> {
  await load.stop();
  const connection = await site.connection();
  if (connection === null) return ['There is no database'];
  const waiting = await waitUntilDecided(connection, await undecidedRounds(connection));
  const last = await lastSeq(connection);
  const late = await Promise.allSettled(subscribers.map((subscriber) => subscriber.reaches(last)));
  const witnesses = { memory: load.memory, subscribers, uptimes: site.uptimes(), everyHour };
  const wrong = await differences(connection, witnesses);
  const ends = await Promise.all(site.processes.map((process) => process.end('SIGTERM')));
  return [
    ...waiting.map((id) => `Round ${id} is not decided ${SETTLED_MS} ms after the last start`),
    ...late.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : [])),
    ...wrong,
    ...ends.filter((end) => end?.code !== 0).map((end) => `Asked to stop, a process ended with ${JSON.stringify(end)}`),
  ];
}

/** Hours go on turning meanwhile; answers which of these rounds have not been decided in time. */
async function waitUntilDecided(connection: ClientConfig, rounds: readonly number[]): Promise<readonly number[]> {
  const deadline = performance.now() + SETTLED_MS;
  for (;;) {
    const undecided = new Set(await undecidedRounds(connection));
    const waiting = rounds.filter((id) => undecided.has(id));
    if (waiting.length === 0 || performance.now() > deadline) return waiting;
    await delay(LOOK_AGAIN_MS);
  }
}

/** Rounds that are over and not decided, as the database has them. */
export async function undecidedRounds(connection: ClientConfig): Promise<readonly number[]> {
  const sql = `select id from rounds where status = 'resolving' order by id`;
  return (await snapshot(connection, (ask) => ask<{ id: number }>(sql))).map(({ id }) => id);
}

async function lastSeq(connection: ClientConfig): Promise<number> {
  const sql = 'select last_seq as seq from platform';
  return (await snapshot(connection, (ask) => ask<{ seq: number }>(sql)))[0]?.seq ?? 0;
}
