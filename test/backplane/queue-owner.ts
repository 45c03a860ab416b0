import { postgresQueues } from '../../src/backplane/postgres-queue.ts';

/**
 * A process of its own that puts a job into the queue named in its arguments, on the database whose connection they
 * hold as JSON, prints a line when it runs it, and never ends it: it waits to be killed.
 */
const [, , connection = '', name = ''] = process.argv;

const queue = await postgresQueues(JSON.parse(connection), (error) => process.stdout.write(`${error.message}\n`))({
  name,
  concurrency: 1,
  run: (job) => {
    process.stdout.write(`started ${JSON.stringify(job)}\n`);
    return new Promise(() => {});
  },
  retryDelayMs: () => 0,
});
await queue.add({ id: 'lost', data: { roundId: 3 } });
