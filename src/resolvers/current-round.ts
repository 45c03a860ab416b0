import { Round } from '../entities/round.ts';
import { beforeDeadline, withoutDeadline } from '../deadline.ts';
import type { Context } from './context.ts';

type Needs = Pick<Context, 'em' | 'reconcile'>;

/**
 * The active round whose hour contains `now`, or null. Right after the hour has turned, the caller that comes before
 * the schedule brings the rounds to the present itself, so that nobody sees a moment without a round.
 */
export async function roundRunningAt(context: Needs, now: Date): Promise<Round | null> {
  const round = await ofHour(context, now);
  // An operator may have declared the running hour's round void: then there is nothing to bring to the present.
  if (round?.status === 'active' || round?.status === 'void') return activeOne(round);
  return afterReconciling(context, async () => activeOne(await ofHour(context, now)));
}

/** The first round that starts after `now`, or null. */
export async function roundStartingAfter(context: Needs, now: Date): Promise<Round | null> {
  return (await upcomingAfter(context, now)) ?? afterReconciling(context, () => upcomingAfter(context, now));
}

async function afterReconciling(context: Needs, find: () => Promise<Round | null>): Promise<Round | null> {
  await beforeDeadline(withoutDeadline(context.reconcile));
  return find();
}

function ofHour({ em }: Needs, now: Date): Promise<Round | null> {
  return em.findOne(Round, { startTime: { $lte: now }, endTime: { $gt: now } }, FRESH);
}

function activeOne(round: Round | null): Round | null {
  return round?.status === 'active' ? round : null;
}

function upcomingAfter({ em }: Needs, now: Date): Promise<Round | null> {
  return em.findOne(
    Round,
    { status: { $in: ['upcoming', 'active'] }, startTime: { $gt: now } },
    { ...FRESH, orderBy: { startTime: 'asc' } },
  );
}

const FRESH = { refresh: true };
