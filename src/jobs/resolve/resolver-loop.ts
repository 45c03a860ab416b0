import type { LogFollower } from '../../feed/event-log.ts';
import type { Round } from '../../entities/round.ts';
import { pendingWork, rerunAfter } from '../../in-flight.ts';
import { SECOND } from '../../rules/hours.ts';
import { afterResolution } from './after-resolution.ts';
import { type Attempt, type AttemptEnd, resolveWaiting, type ResolvingDeps } from './waiting-rounds.ts';

/** What sees to it that rounds that wait are resolved. */
export interface Resolver {
  /** Begins to try what is due; where a source of prices has come back, all that waits. */
  wake(): void;
  /** Resolves when no try is under way. */
  settled(): Promise<void>;
  /** From now on begins none; waits for those under way. */
  close(): Promise<void>;
}

/** Events that something follows from. */
const DECISIONS: ReadonlySet<string> = new Set(['ROUND_RESOLVED', 'ROUND_VOID', 'ROUND_AMENDED']);

/** How long, in real milliseconds, after a try that the database was missing for. */
const AFTER_FAULT_MS = SECOND;
/** How long, in real milliseconds, what follows from a decision is left to the process that made it. */
const LEFT_TO_OTHERS_MS = 10 * SECOND;

export interface ResolverDeps extends ResolvingDeps, Pick<LogFollower, 'onEvents'> {
  /** Called with in how many real milliseconds at the latest `wake` is to be called again. */
  readonly wakeIn: (realMs: number) => void;
}

/**
 * What follows from decisions is seen to after each of this process's own, and some time after each of others: they may
 * have ended in between. At the start, too.
 */
export function openResolver(deps: ResolverDeps): Resolver {
  const { clock, market, onEvents, report, wakeIn } = deps;
  const work = pendingWork();
  const inFlight = new Map<number, Attempt>();
  let wasUp: readonly string[] = [];
  let isOpen = true;
  // Counted: more may be decided while what follows from those before is under way.
  let [decisions, followed] = [1, 0];
  const followUp = rerunAfter(async () => {
    const known = decisions;
    await afterResolution({ ...deps, isStopped: () => !isOpen }, clock.now());
    followed = known;
  });
  // When to see whether something was left undone by whoever decided; unset while nothing was decided since.
  let lookAt: Date | undefined;
  const ignore = onEvents((events) => {
    if (!events.some(({ kind }) => DECISIONS.has(kind))) return;
    lookAt ??= new Date(clock.now().getTime() + LEFT_TO_OTHERS_MS * clock.speed);
    wakeIn(clock.realMsUntil(lookAt));
  });
  const onEnd = (end: AttemptEnd): void => {
    if (end.kind === 'decided') decisions += 1;
    else if (end.kind === 'waits') wakeIn(clock.realMsUntil(end.tryAfter));
    else wakeIn(AFTER_FAULT_MS);
  };
  const run = async (): Promise<void> => {
    const up = market.status().flatMap(({ source, state }) => (state === 'up' ? [source] : []));
    const isBack = up.some((source) => !wasUp.includes(source));
    wasUp = up;
    const now = clock.now();
    const isWanted = ({ tryAfter }: Round): boolean => isBack || tryAfter == null || tryAfter <= now;
    try {
      await resolveWaiting(deps, { isWanted, inFlight, onEnd });
      if (lookAt !== undefined && lookAt <= now) {
        decisions += 1;
        lookAt = undefined;
      } else if (lookAt !== undefined) wakeIn(clock.realMsUntil(lookAt));
      // One that failed is tried again.
      if (followed < decisions) await followUp();
    } catch (error) {
      report(error);
      wakeIn(AFTER_FAULT_MS);
    }
  };
  return {
    wake: () => void (isOpen && work.track(run())),
    settled: () => work.settled(),
    close: () => {
      isOpen = false;
      ignore();
      return work.settled();
    },
  };
}
