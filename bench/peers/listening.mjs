import { executionAsyncResource } from 'node:async_hooks';

/** As in bin/hourcast.js, so that no peer is slowed down by the garbage collections of its start. */
export const keptTicks = [];
process.nextTick(() => keptTicks.push(executionAsyncResource()));

/** Sends the server's address to the bench. */
export function listening(server) {
  server.once('listening', () => process.send?.({ port: server.address().port }));
  process.once('disconnect', () => process.exit(0));
}
