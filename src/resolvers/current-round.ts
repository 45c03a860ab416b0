import { statement } from '../database/statements.ts';
import { Round } from '../entities/round.ts';
import { beforeDeadline, withoutDeadline } from '../deadline.ts';
import { hourOf } from '../rules/hours.ts';
import type { RoundStatus } from '../rules/round-states.ts';
import type { Context } from './context.ts';

type Needs = Pick<Context, 'em' | 'services'>;

/**
 * The active round whose hour contains `now`, or null. Right after the hour has turned, the caller that comes before
 * the schedule brings the rounds to the present itself, so that nobody sees a moment without a round.
 */
export function roundRunningAt(context: Needs, now: Date): Promise<Round | null> {
  return activeOne(context, () => context.em.findOne(Round, { startTime: hourOf(now) }, FRESH));
}

/** What a prediction is judged by. */
export interface OpenRound {
  readonly id: number;
  readonly status: RoundStatus;
  readonly endTime: Date;
  readonly choices: readonly string[];
}

const ROUND_OF_HOUR = statement<[id: number, status: RoundStatus, endTime: Date, choices: string[]]>({
  name: 'round-of-hour',
  text: 'select id, status, end_time, choices from rounds where start_time = $1',
});

/** Of the round that `roundRunningAt` gives, what a prediction is judged by. */
export function openRoundAt(context: Pick<Context, 'services'>, now: Date): Promise<OpenRound | null> {
  return activeOne(context, async () => {
    const [row] = await context.services.urgent.rows(ROUND_OF_HOUR, [hourOf(now)]);
    if (row === undefined) return null;
    const [id, status, endTime, choices] = row;
    return { id, status, endTime, choices };
  });
}

async function activeOne<Found extends { readonly status: RoundStatus }>(
  context: Pick<Context, 'services'>,
  find: () => Promise<Found | null>,
): Promise<Found | null> {
  const found = await find();
  // An operator may have declared the running hour's round void: then there is nothing to bring to the present.
  const round = found?.status === 'active' || found?.status === 'void' ? found : await afterReconciling(context, find);
  return round?.status === 'active' ? round : null;
}

/** The first round that starts after `now`, or null. */
export async function roundStartingAfter(context: Needs, now: Date): Promise<Round | null> {
  return (await upcomingAfter(context, now)) ?? afterReconciling(context, () => upcomingAfter(context, now));
}

async function afterReconciling<Found>(
  { services }: Pick<Context, 'services'>,
  find: () => Promise<Found>,
): Promise<Found> {
  await beforeDeadline(withoutDeadline(services.reconcile));
  return find();
}

function upcomingAfter({ em }: Needs, now: Date): Promise<Round | null> {
  return em.findOne(
    Round,
    { status: { $in: ['upcoming', 'active'] }, startTime: { $gt: now } },
    { ...FRESH, orderBy: { startTime: 'asc' } },
  );
}

const FRESH = { refresh: true };
