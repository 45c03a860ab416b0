import { type OpenQueue, QueueUnavailable, RetryLater } from '../../backplane/backplane.ts';
import { Round } from '../../entities/round.ts';
import type { LogFollower } from '../../feed/log-follower.ts';
import { pendingWork, rerunAfter } from '../../in-flight.ts';
import { SECOND } from '../../rules/hours.ts';
import { afterResolution } from './after-resolution.ts';
import { type Attempt, type AttemptEnd, resolveWaiting, type ResolvingDeps } from './waiting-rounds.ts';

/** The queue and its jobs; a job's id is `resolve-round-<id of the round>`, since BullMQ refuses a colon in it. */
export const RESOLVE_ROUND = 'resolve-round';

/** Concurrent jobs of one process: as many as rounds in a day, so that a slow exchange delays no other round. */
const CONCURRENCY = 24;
/** The pause after an attempt without a database, in real milliseconds. */
const AFTER_FAULT_MS = SECOND;
/** The head start of a due round's job, in real milliseconds. BullMQ detects a dead worker sooner than this. */
const LEFT_TO_JOB_MS = 10 * SECOND;
/** The delay before other processes do the work after a decision, in real milliseconds. */
const LEFT_TO_OTHERS_MS = 10 * SECOND;
const DECISIONS: ReadonlySet<string> = new Set(['ROUND_RESOLVED', 'ROUND_VOID', 'ROUND_AMENDED']);

export interface ResolveJobsDeps extends ResolvingDeps, Pick<LogFollower, 'onEvents'> {
  readonly openQueue: OpenQueue;
  /** False: this process adds jobs and leaves them to others. */
  readonly works: boolean;
  /** Called with the maximum of real milliseconds before the next call of `add`. */
  readonly wakeIn: (realMs: number) => void;
}

/**
 * Opens the queue. The rounds in the database decide what is due, so that a job may be lost or run twice. A working
 * process resolves a round itself if the queue is unavailable, the job is late, or a source of prices has recovered.
 */
export async function openResolveJobs(deps: ResolveJobsDeps) {
  const { newEm, clock, market, works, report, wakeIn } = deps;
  const outside = pendingWork();
  const followUps = openFollowUps(deps);
  const inFlight = new Map<number, Attempt>();
  let wasUp: readonly string[] = [];
  const onEnd = ({ kind }: AttemptEnd): void => void (kind === 'decided' && outside.track(followUps.decided()));
  const resolve = async (roundId: number): Promise<void> => {
    try {
      const isWanted = ({ id }: Round): boolean => id === roundId;
      const ends = await resolveWaiting(deps, { isWanted, inFlight, onEnd });
      const end = ends.get(roundId) ?? { kind: 'decided' };
      if (end.kind === 'decided') return;
      throw new RetryLater(end.why, end.tryAfter === undefined ? AFTER_FAULT_MS : clock.realMsUntil(end.tryAfter));
    } catch (error) {
      if (!(error instanceof RetryLater)) report(error);
      throw error;
    }
  };
  const queue = await deps.openQueue({
    name: RESOLVE_ROUND,
    run: works ? (id) => resolve(Number(id.slice(RESOLVE_ROUND.length + 1))) : null,
    concurrency: CONCURRENCY,
  });
  const addOne = async ({ id, tryAfter, endTime }: Round, isBack: boolean): Promise<void> => {
    const dueAt = tryAfter ?? endTime;
    const delayMs = clock.realMsUntil(dueAt);
    let leftMs = LEFT_TO_JOB_MS;
    try {
      await queue.add({ id: `${RESOLVE_ROUND}-${id}`, delayMs });
    } catch (error) {
      if (!(error instanceof QueueUnavailable)) throw error;
      leftMs = 0;
    }
    const lateMs = (clock.now().getTime() - dueAt.getTime()) / clock.speed;
    const wake = (error: unknown): void => wakeIn(error instanceof RetryLater ? error.afterMs : AFTER_FAULT_MS);
    if (works && (isBack || lateMs >= leftMs)) void outside.track(resolve(id)).catch(wake);
    else if (leftMs === 0) wakeIn(delayMs);
  };
  const add = async (): Promise<void> => {
    const up = market.status().flatMap(({ source, state }) => (state === 'up' ? [source] : []));
    const isBack = up.some((source) => !wasUp.includes(source));
    wasUp = up;
    if (works) void outside.track(followUps.look());
    const waiting = await newEm().find(Round, { status: 'resolving' }, { orderBy: { startTime: 'asc' } });
    await Promise.all(waiting.map((round) => addOne(round, isBack)));
  };
  return {
    queue: { ...queue, name: RESOLVE_ROUND },
    /** Adds a job for each waiting round without one, and finishes interrupted follow-up work. */
    add: (): Promise<void> => outside.track(add()),
    /** Resolves when nothing is under way that began outside the queue. */
    settled: (): Promise<void> => outside.settled(),
    /** Starts no more work, and waits for work in progress. */
    async close(): Promise<void> {
      await Promise.all([followUps.end(), queue.close(), outside.settled()]);
    },
  };
}

/** Does the work after decisions: immediately after this process's own and at start, later after those of others, which may have died. */
function openFollowUps(deps: ResolveJobsDeps) {
  const { clock, onEvents, report, wakeIn } = deps;
  let isOpen = true;
  /** The time of the next follow-up; null while nothing was decided since the last one. */
  let due: Date | null = clock.now();
  const look = rerunAfter(async () => {
    const now = clock.now();
    if (due === null) return;
    if (due > now) return wakeIn(clock.realMsUntil(due));
    due = null;
    try {
      await afterResolution({ ...deps, isStopped: () => !isOpen }, now);
    } catch (error) {
      report(error);
      due = now;
      wakeIn(AFTER_FAULT_MS);
    }
  });
  const ignore = onEvents((events) => {
    if (!events.some(({ kind }) => DECISIONS.has(kind))) return;
    due ??= new Date(clock.now().getTime() + LEFT_TO_OTHERS_MS * clock.speed);
    wakeIn(clock.realMsUntil(due));
  });
  const decided = (): Promise<void> => {
    due = clock.now();
    return look();
  };
  const end = (): Promise<void> => {
    isOpen = false;
    ignore();
    return look.settled();
  };
  return { look, decided, end };
}
