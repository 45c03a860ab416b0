import type { DatabaseConnection } from './database-connection.ts';
import type { DriverNeeds, DriverParts } from './driver-parts.ts';
import { localBus } from './local-bus.ts';
import { memoryLimiter } from './memory-limiter.ts';
import { postgresQueues } from './postgres-queue.ts';

/** The backplane of a service that runs as one process: its queue in the database, the rest in this process. */
export function openOwnBackplane(connection: DatabaseConnection, { report }: DriverNeeds): DriverParts {
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
