import { msLeft, DeadlineExceeded, sharedTimer } from './deadline.ts';
import { pendingWork } from './in-flight.ts';

interface GroupsOptions<One, Answer> {
  /** How many groups may be in flight: what arrives meanwhile goes into the next. */
  readonly inFlight: number;
  /** How many go into a group at most. */
  readonly most: number;
  /** Two of one name are never in flight together: the later waits until the earlier has its answer. Unset: all may be. */
  readonly nameOf?: (one: One) => string;
  /** Does a group's work. Answers in the group's order; a rejection is that of everyone in the group. */
  readonly run: (group: readonly One[]) => Promise<readonly Answer[]>;
}

/** Work that costs the same for one as for many: what arrives while it is under way is done together next. */
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
}

export function groups<One, Answer>({ inFlight, most, nameOf, run }: GroupsOptions<One, Answer>): Groups<One, Answer> {
  const waiting = new Set<Waiting<One, Answer>>();
  const after = sharedTimer();
  const work = pendingWork();
  const namesInFlight = new Set<string>();
  let running = 0;

  const next = (): Waiting<One, Answer>[] => {
    const group: Waiting<One, Answer>[] = [];
    for (const mine of waiting) {
      const name = nameOf?.(mine.one);
      if (name !== undefined && namesInFlight.has(name)) continue;
      if (name !== undefined) namesInFlight.add(name);
      waiting.delete(mine);
      if (group.push(mine) === most) break;
    }
    return group;
  };

  const runGroup = async (group: readonly Waiting<One, Answer>[]): Promise<void> => {
    running += 1;
    try {
      const answers = await run(group.map(({ one }) => one));
      if (answers.length !== group.length)
        throw new Error(`A group of ${group.length} must have as many answers (got ${answers.length})`);
      for (const [place, answer] of answers.entries()) group[place]?.resolve(answer);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    running -= 1;
    if (nameOf !== undefined) for (const { one } of group) namesInFlight.delete(nameOf(one));
    start();
  };

  const start = (): void => {
    for (let free = inFlight - running; free > 0; free -= 1) {
      const group = next();
      if (group.length === 0) return;
      void work.track(runGroup(group));
    }
  };

  return {
    add: (one) =>
      new Promise((resolve, reject) => {
        const left = msLeft() ?? Infinity;
        const stop = after(left, () => {
          waiting.delete(mine);
          reject(new DeadlineExceeded('It took too long to wait for'));
        });
        const mine: Waiting<One, Answer> = {
          one,
          resolve: (answer) => {
            stop();
            resolve(answer);
          },
          reject: (error) => {
            stop();
            reject(error);
          },
        };
        waiting.add(mine);
        start();
      }),
    settled: () => work.settled(),
  };
}
