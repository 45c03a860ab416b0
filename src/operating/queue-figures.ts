import type { Queue as BullQueue } from 'bullmq';

import { RESOLUTIONS, resolutionJob } from '../jobs/queue-names.ts';
import { inTime, within } from '../patience.ts';
import { SECOND } from '../rules/hours.ts';
import type { Tries } from './admin-lists.ts';

/** A queue whose store is away waits for it. */
const PATIENCE_MS = 2 * SECOND;

/** What `look` finds in the queues, or null while they do not answer: `/readyz` tells that, and the log why. */
export async function unlessAway<Found>(look: () => Promise<Found>): Promise<Found | null> {
  try {
    return await within(PATIENCE_MS, () => inTime(look()));
  } catch {
    return null;
  }
}

/** How the queue does with a round; null when it knows no job for it. */
export async function triesOf(queues: readonly BullQueue[], roundId: number): Promise<Tries | null> {
  const queue = queues.find(({ name }) => name === RESOLUTIONS);
  const job = await queue?.getJob(resolutionJob(roundId));
  return job === undefined ? null : { attempt: job.attemptsMade + 1, reason: job.failedReason ?? null };
}
