import type { Clock } from '../../clock.ts';
import { codeOf, DEADLOCK, isOutOfReach } from '../../database/failures.ts';
import { Round } from '../../entities/round.ts';
import { SECOND } from '../../rules/hours.ts';
import type { ExtraWrites } from './apply-decision.ts';
import {
  type AttemptOptions,
  type AttemptResult,
  noteUndecided,
  type ResolutionDeps,
  resolveRound,
} from './resolve-round.ts';
import { withTimeout } from '../../deadline.ts';

export interface ResolvingDeps extends ResolutionDeps {
  readonly clock: Clock;
  /** Called after a commit that may have written events. */
  readonly announce: () => void;
}

/** A try under way. */
export interface Attempt {
  /** True once the round can be decided or void; false if the attempt ends before. */
  readonly decidable: Promise<boolean>;
  readonly end: Promise<AttemptEnd>;
}

/** The try of an older round; `again` if it began before the present call, and may have read older prices. */
interface OlderAttempt {
  readonly known: Attempt;
  readonly again: (() => Attempt) | null;
}

/** The end of a try. `failed` if it threw; it then has no `tryAfter` if the row has no time for the next try. */
export type AttemptEnd =
  | AttemptResult
  | { readonly kind: 'failed'; readonly why: string; readonly tryAfter?: Date; readonly error: unknown };

interface ResolvingOptions {
  /** Selects the waiting rounds to try. */
  readonly isWanted: (round: Round) => boolean;
  readonly extraWrites?: ExtraWrites | undefined;
  /** The tries that this process has under way, by round: none is begun twice. */
  readonly inFlight?: Map<number, Attempt>;
  /** Called when a try has ended, those of older rounds included. */
  readonly onEnd?: (ended: AttemptEnd) => void;
}

/** A round that can be decided waits for the market's answers about older ones this long, in real milliseconds. */
const OLDER_MS = 8 * SECOND;
const FAULT = 'The service failed to decide it; the log has the error.';

/**
 * Tries rounds that wait for their outcome, in parallel. They are decided in the order of their hours: every older round is
 * tried first, and skipped only while its own candles are missing. All state is in the database, so that any number of
 * processes may run it at once. Returns the result of each try.
 */
export async function resolveWaiting(
  deps: ResolvingDeps,
  options: ResolvingOptions,
): Promise<ReadonlyMap<number, AttemptEnd>> {
  const { isWanted, extraWrites, onEnd, inFlight = new Map<number, Attempt>() } = options;
  const waiting = await deps.newEm().find(Round, { status: 'resolving' }, { orderBy: { startTime: 'asc' } });
  const now = deps.clock.now();
  const before = new Map(inFlight);
  const tries = new Map<number, Attempt>();
  const start = (round: Round, place: number): Attempt => {
    const { promise: decidable, resolve: noteDecidable } = Promise.withResolvers<boolean>();
    const olderFirst = (): Promise<boolean> => {
      noteDecidable(true);
      return olderRoundsAllow(waiting.slice(0, place).map(older));
    };
    const tryIt = async (): Promise<AttemptEnd> => {
      const writes = isWanted(round) ? extraWrites : undefined;
      const end = await runAttempt(deps, round, { now, olderFirst, extraWrites: writes });
      noteDecidable(false);
      inFlight.delete(round.id);
      onEnd?.(end);
      return end;
    };
    const begun = { decidable, end: tryIt() };
    inFlight.set(round.id, begun);
    return begun;
  };
  const begin = (round: Round, place: number): Attempt => {
    const begun = tries.get(round.id) ?? inFlight.get(round.id) ?? start(round, place);
    tries.set(round.id, begun);
    return begun;
  };
  const older = (round: Round, place: number): OlderAttempt => {
    const known = begin(round, place);
    const again = (): Attempt => {
      const fresh = inFlight.get(round.id) ?? start(round, place);
      tries.set(round.id, fresh);
      return fresh;
    };
    return { known, again: known === before.get(round.id) ? again : null };
  };
  for (const [place, round] of waiting.entries()) if (isWanted(round)) begin(round, place);
  const ends = [...tries].map(async ([id, { end }]) => [id, await end] as const);
  return new Map(await Promise.all(ends));
}

/** True if a retry may succeed: the database was unavailable, or ended a deadlock. */
function isTransient(error: unknown): boolean {
  return isOutOfReach(error) || codeOf(error) === DEADLOCK;
}

async function runAttempt(deps: ResolvingDeps, round: Round, attempt: AttemptOptions): Promise<AttemptEnd> {
  try {
    const tried = await resolveRound(deps, round.id, attempt);
    if (tried.kind === 'decided') deps.announce();
    return tried;
  } catch (error) {
    deps.report(error);
    const note = () => noteUndecided(deps, round, { now: attempt.now, why: FAULT }).catch(deps.report);
    return { ...(isTransient(error) ? null : await note()), kind: 'failed', why: FAULT, error };
  }
}

/**
 * Waits until each older round is decided or skipped. False while one failed for the database: that is transient, and the
 * order of decisions cannot be restored. A fault of a round itself holds no other.
 */
async function olderRoundsAllow(older: readonly OlderAttempt[]): Promise<boolean> {
  const inTime: Attempt[] = [];
  let isLate = false;
  const look = async ({ known, again }: OlderAttempt): Promise<void> => {
    const mayLack = !(await known.decidable) && (await known.end).kind === 'waits';
    if (isLate) return;
    const one = mayLack && again !== null ? again() : known;
    await one.decidable;
    if (!isLate) inTime.push(one);
  };
  await withTimeout(OLDER_MS, Promise.all(older.map(look)));
  isLate = true;
  const ends = await Promise.all(inTime.map(({ end }) => end));
  return ends.every((end) => end.kind !== 'held' && !(end.kind === 'failed' && isTransient(end.error)));
}
