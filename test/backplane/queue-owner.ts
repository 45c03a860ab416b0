import { partsOn } from './queue-drivers.ts';

/**
 * A process of its own that puts a job into the queue named in its arguments, in the store whose address they hold as
 * JSON, prints a line when it runs it, and never ends it: it waits to be killed.
 */
const [, , address = '', name = ''] = process.argv;

const { openQueue } = await partsOn(JSON.parse(address), (message) => void process.stdout.write(`${message}\n`));
const queue = await openQueue({
  name,
  run: (id) => {
    process.stdout.write(`started ${id}\n`);
    return new Promise(() => {});
  },
});
await queue.add({ id: 'lost' });
