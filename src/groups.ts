import { setImmediate } from 'node:timers/promises';

import { msLeft, DeadlineExceeded, sharedTimer } from './deadline.ts';
import { pendingWork } from './in-flight.ts';

interface GroupsOptions<One, Answer> {
  /** How many groups may be in flight, those left out that have called `next`: what arrives meanwhile goes into the next. */
  readonly inFlight: number;
  /** How many go into a group at most. */
  readonly max: number;
  /**
   * A group begins on the next turn of the event loop, so that whatever the sockets hold at this moment is in it: fewer and
   * larger ones, which is worth it where a group costs more than one more in it. Unset: it begins at once.
   */
  readonly gathers?: true;
  /** Two of one name are never in flight together: the later waits until the earlier has its answer. Unset: all may be. */
  readonly nameOf?: (one: One) => string;
  /**
   * Does a group's work. Answers in the group's order; a rejection is that of everyone in the group. `next` lets another
   * group begin before the answers of this one are known; its names stay in flight.
   */
  readonly run: (group: readonly One[], next: () => void) => Promise<readonly Answer[]>;
}

/** Work that costs the same for one as for many: what arrives while it is in flight is done together next. */
export interface Groups<One, Answer> {
  /**
   * The answer for `one`, in the order of arrival. Throws `DeadlineExceeded` when the caller's deadline passes before: what
   * has not begun is then not done.
   */
  readonly add: (one: One) => Promise<Answer>;
  /** Resolves when nothing waits or is in flight. */
  readonly settled: () => Promise<void>;
}

interface Waiting<One, Answer> {
  readonly one: One;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Stops watching the caller's deadline. */
  readonly stop: () => void;
}

export function groups<One, Answer>({
  inFlight,
  gathers,
  run,
  ...order
}: GroupsOptions<One, Answer>): Groups<One, Answer> {
  const line = waitingLine<One, Answer>(order);
  const after = sharedTimer();
  const work = pendingWork();
  let running = 0;
  let isGathering = false;

  const runGroup = async (group: readonly Waiting<One, Answer>[]): Promise<void> => {
    let isCounted = true;
    running += 1;
    const next = (): void => {
      if (isCounted) running -= 1;
      isCounted = false;
      begin();
    };
    await settle(group, (ones) => run(ones, next));
    line.done(group);
    next();
  };

  const start = (): void => {
    for (let free = inFlight - running; free > 0; free -= 1) {
      const group = line.next();
      if (group.length === 0) return;
      void work.track(runGroup(group));
    }
  };

  const startSoon = async (): Promise<void> => {
    isGathering = true;
    await setImmediate();
    isGathering = false;
    start();
  };

  const begin = (): void => {
    if (!gathers) start();
    else if (!isGathering && running < inFlight) void work.track(startSoon());
  };

  return {
    add: (one) =>
      new Promise((resolve, reject) => {
        const stop = after(msLeft() ?? Infinity, () => {
          line.leave(mine);
          reject(new DeadlineExceeded('It took too long to wait for'));
        });
        const mine: Waiting<One, Answer> = { one, resolve, reject, stop };
        line.join(mine);
        begin();
      }),
    settled: () => work.settled(),
  };
}

/** Those who wait, in the order in which they came, but for names that are in flight. */
function waitingLine<One, Answer>({ max, nameOf }: Pick<GroupsOptions<One, Answer>, 'max' | 'nameOf'>) {
  const waiting = new Set<Waiting<One, Answer>>();
  const namesInFlight = new Set<string>();
  return {
    join: (mine: Waiting<One, Answer>): void => void waiting.add(mine),
    leave: (mine: Waiting<One, Answer>): void => void waiting.delete(mine),
    /** Takes the next group out of the line; empty where none may begin. */
    next(): Waiting<One, Answer>[] {
      const group: Waiting<One, Answer>[] = [];
      for (const mine of waiting) {
        const name = nameOf?.(mine.one);
        if (name !== undefined && namesInFlight.has(name)) continue;
        if (name !== undefined) namesInFlight.add(name);
        waiting.delete(mine);
        if (group.push(mine) === max) break;
      }
      return group;
    },
    /** The group is no longer in flight: others of its names may begin. */
    done(group: readonly Waiting<One, Answer>[]): void {
      if (nameOf !== undefined) for (const { one } of group) namesInFlight.delete(nameOf(one));
    },
  };
}

/** Does a group's work, and gives everyone in it the answer or the rejection. */
async function settle<One, Answer>(
  group: readonly Waiting<One, Answer>[],
  run: (group: readonly One[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await run(group.map(({ one }) => one));
    if (answers.length !== group.length)
      throw new Error(`A group of ${group.length} must have as many answers (got ${answers.length})`);
    for (const [place, answer] of answers.entries()) {
      const mine = group[place];
      mine?.stop();
      mine?.resolve(answer);
    }
  } catch (error) {
    for (const { stop, reject } of group) {
      stop();
      reject(error);
    }
  }
}
