import { type OpenQueue, type Queue, QueueUnavailable } from '../../src/backplane/backplane.ts';

/** A queue that notes the ids of what is added to it, and runs nothing. */
export function recording(added: string[]): Queue {
  return {
    add: async ({ id }) => void added.push(id),
    counts: async () => ({ waiting: 0, delayed: 0, active: 0, failed: 0 }),
    jobs: async () => [],
    close: async () => {},
  };
}

/** Queues that nothing can be added to. */
export const unreachable: OpenQueue = async () => ({
  ...recording([]),
  add: () => Promise.reject(new QueueUnavailable('It is away')),
});
