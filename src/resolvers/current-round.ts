import { Round } from '../entities/round.ts';
import type { Context } from './context.ts';

type Needs = Pick<Context, 'em' | 'reconcile'>;

/**
 * The active round whose hour contains `now`, or null. Right after the hour has turned, the caller that comes before
 * the schedule brings the rounds to the present itself, so that nobody sees a moment without a round.
 */
export async function roundRunningAt(context: Needs, now: Date): Promise<Round | null> {
  return (await activeAt(context, now)) ?? afterReconciling(context, () => activeAt(context, now));
}

/** The first round that starts after `now`, or null. */
export async function roundStartingAfter(context: Needs, now: Date): Promise<Round | null> {
  return (await upcomingAfter(context, now)) ?? afterReconciling(context, () => upcomingAfter(context, now));
}

async function afterReconciling(context: Needs, find: () => Promise<Round | null>): Promise<Round | null> {
  await context.reconcile();
  return find();
}

function activeAt({ em }: Needs, now: Date): Promise<Round | null> {
  return em.findOne(Round, { status: 'active', startTime: { $lte: now }, endTime: { $gt: now } }, FRESH);
}

function upcomingAfter({ em }: Needs, now: Date): Promise<Round | null> {
  return em.findOne(
    Round,
    { status: { $in: ['upcoming', 'active'] }, startTime: { $gt: now } },
    { ...FRESH, orderBy: { startTime: 'asc' } },
  );
}

const FRESH = { refresh: true };
