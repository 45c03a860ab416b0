import { randomBytes } from 'node:crypto';

import { localBus } from '../../src/backplane/local.ts';
import { openPools } from '../../src/database/pools.ts';
import { startDelivering } from '../../src/webhooks/delivering.ts';

/*
 * A worker that sends webhooks and nothing else, as a process that can be killed: `node worker.ts <connection as JSON>`. It looks all
 * the time, and gives up what dead workers had after a moment.
 */

const LEASE_MS = 1_000;
/** Beyond what a busy machine takes: a call that is given up is tried again minutes later. */
const CALL_MS = 60_000;
const LOOK_MS = 20;

const pools = await openPools(JSON.parse(process.argv[2] ?? ''));
const bus = localBus();
await startDelivering({
  reach: 'any',
  callMs: CALL_MS,
  leaseMs: LEASE_MS,
  lockMs: 0,
  keyPepper: undefined,
  randomBytes,
  newEm: pools.newEm.jobs,
  clock: { now: () => new Date('2026-01-01T12:10:00Z'), speed: 1, realMsUntil: () => 0 },
  bus,
  onEvents(listener) {
    const timer = setInterval(() => listener([]), LOOK_MS);
    return () => clearInterval(timer);
  },
  report: (error) => process.stderr.write(`${String(error)}\n`),
});
