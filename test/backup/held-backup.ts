import { workerData } from 'node:worker_threads';

import { backUp } from '../../src/backup/backup.ts';

/* Backs up in a thread of its own, and stands still behind the first bytes until the test lets it go on. */

const { connection, folder, shared } = workerData;
/** Whether it stands still, and whether it may go on. */
const state = new Int32Array(shared);
let isHeld = false;
await backUp(connection, folder, {
  version: '9.9.9',
  now: new Date('2026-01-02T00:00:00Z'),
  progress: () => {
    if (isHeld) return;
    isHeld = true;
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    Atomics.wait(state, 1, 0);
  },
});
