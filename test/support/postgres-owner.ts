import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';

/**
 * A process of its own that starts the embedded PostgreSQL on the folder it is given and prints one line of JSON: the
 * connection or the error's message. `durable` as second argument makes it durable. It then waits to be killed, or for its input to end to stop in good order.
 */
const [, , dataDir = '', durability] = process.argv;

try {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: durability === 'durable' });
  process.stdout.write(`${JSON.stringify({ connection: postgres.connection })}\n`);
  process.stdin.resume().once('end', () => void postgres.stop());
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
}
