import { type BackendFactory, createPostgresBackend } from 'bullmq';

import { type BullmqQueue, openBullmqQueue } from './bullmq-queue.ts';
import type { DatabaseConnection } from './database-connection.ts';
import { hearAllClients } from './heard-clients.ts';
import { mayCreate } from './may-create.ts';
import type { QueueOptions } from './queue.ts';

const SCHEMA = 'bullmq';

/**
 * BullMQ with its queues in PostgreSQL: no service beside the database. An account that may not make its tables uses
 * those that another account has made.
 */
export function postgresQueues(connection: DatabaseConnection, report: (error: Error) => void) {
  hearAllClients();
  return async (options: QueueOptions): Promise<BullmqQueue> => {
    const pool = { ...connection, schema: SCHEMA, migrate: await mayCreate(connection), max: 2 };
    const factory: BackendFactory = (name, given, extra) =>
      createPostgresBackend(name, { ...given, connection: pool }, extra);
    return openBullmqQueue({ producer: factory, consumer: factory, awaitReady: true, report }, options);
  };
}
