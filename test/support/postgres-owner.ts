import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';

/**
 * A process that starts the embedded PostgreSQL on its folder and prints one line of JSON: the connection, or the error's
 * message. The second argument `durable` makes it durable. It ends when it is killed, or, with a clean stop, when its input ends.
 */
const [, , dataDir = '', durability] = process.argv;

try {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: durability === 'durable' });
  process.stdout.write(`${JSON.stringify({ connection: postgres.connection })}\n`);
  process.stdin.resume().once('end', () => void postgres.stop());
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
}
