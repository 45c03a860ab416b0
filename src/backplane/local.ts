import { EventEmitter } from 'node:events';
import { type BackendFactory, createPostgresBackend } from 'bullmq';

import { type DatabaseConnection, hearAllClients, withClient } from '../database/connection.ts';
import type { BackplaneDriver, Bus, Change, DriverOptions, DriverQueue, QueueOptions } from './backplane.ts';
import { openBullmqQueue } from './bullmq-queue.ts';
import { memoryLimiter } from './memory-limiter.ts';

/** The backplane of a service that runs as one process: its queue in the database, the rest in this process. */
export function openLocalBackplane(connection: DatabaseConnection, { report }: DriverOptions): BackplaneDriver {
  let isOpen = true;
  // BullMQ does not wait for its last connections to close: that PostgreSQL then cuts them is no news.
  const openQueue = postgresQueues(connection, (error) => void (isOpen && report(error)));
  return {
    openQueue,
    bus: localBus(),
    limiter: memoryLimiter(),
    // The queue is as well as the database, which is asked for by itself.
    status: () => [
      { part: 'queue', driver: 'postgresql', up: true },
      { part: 'bus', driver: 'local', up: true },
      { part: 'limiter', driver: 'memory', up: true },
    ],
    close: async () => {
      isOpen = false;
    },
  };
}

const NUDGE = 'nudge';
const CHANGE = 'change';

/** The bus of a service that runs as one process. */
export function localBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    nudge: () => {
      emitter.emit(NUDGE);
    },
    onNudge: (listener) => {
      emitter.on(NUDGE, listener);
      return () => emitter.off(NUDGE, listener);
    },
    tell: (change) => {
      emitter.emit(CHANGE, change);
    },
    onChange: (listener: (change: Change) => void) => {
      emitter.on(CHANGE, listener);
      return () => emitter.off(CHANGE, listener);
    },
  };
}

const SCHEMA = 'bullmq';

/**
 * BullMQ with its queues in PostgreSQL: no service beside the database. An account that may not make its tables uses
 * those that another account has made.
 */
export function postgresQueues(connection: DatabaseConnection, report: (error: Error) => void) {
  hearAllClients();
  return async (options: QueueOptions): Promise<DriverQueue> => {
    const pool = { ...connection, schema: SCHEMA, migrate: await canCreateSchema(connection), max: 2 };
    const factory: BackendFactory = (name, given, extra) =>
      createPostgresBackend(name, { ...given, connection: pool }, extra);
    return openBullmqQueue({ producer: factory, consumer: factory, awaitReady: true, report }, options);
  };
}

/** Whether the account may make schemas in its database: one that may not works with what another account has made. */
async function canCreateSchema(connection: DatabaseConnection): Promise<boolean> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ can: boolean }>(
      `select has_database_privilege(current_database(), 'create') as can`,
    );
    return rows[0]?.can ?? false;
  });
}
