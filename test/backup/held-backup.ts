import { parentPort, workerData } from 'node:worker_threads';

import { backUp } from '../../src/backup/backup.ts';

/* Backs up in a thread of its own, and stands still behind the first bytes until the test lets it go on. */

const { connection, folder, gate } = workerData;
let isHeld = false;
await backUp(connection, folder, {
  version: '9.9.9',
  now: new Date('2026-01-02T00:00:00Z'),
  progress: () => {
    if (isHeld) return;
    isHeld = true;
    parentPort?.postMessage('held');
    Atomics.wait(new Int32Array(gate), 0, 0);
  },
});
