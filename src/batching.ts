import { setImmediate } from 'node:timers/promises';

import { callAfter, DeadlineExceeded, msLeft } from './deadline.ts';
import { pendingWork } from './in-flight.ts';

interface BatchOptions<One, Answer> {
  /** How many batches may be in flight, not counting those that have called `releaseSlot`: what arrives meanwhile goes into the next. */
  readonly inFlight: number;
  /** How many go into a batch at most. */
  readonly max: number;
  /**
   * A batch begins on the next turn of the event loop, so that whatever the sockets hold at this moment is in it: fewer and
   * larger ones, which is worth it where a batch costs more than one more in it. Unset: it begins at once.
   */
  readonly delayToNextTick?: true;
  /** Two with the same key are never in flight together: the later waits until the earlier has its answer. Unset: all may be. */
  readonly exclusiveKey?: (one: One) => string;
  /**
   * Does a batch's work. Answers in the batch's order; a rejection is that of everyone in the batch. `releaseSlot` lets another
   * batch begin before the answers of this one are known; its keys stay in flight.
   */
  readonly run: (batch: readonly One[], releaseSlot: () => void) => Promise<readonly Answer[]>;
}

/** Work that costs the same for one as for many: what arrives while it is in flight is done together next. */
export interface Batcher<One, Answer> {
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

export function batcher<One, Answer>({
  inFlight,
  delayToNextTick,
  run,
  ...order
}: BatchOptions<One, Answer>): Batcher<One, Answer> {
  const line = waitingLine<One, Answer>(order);
  const work = pendingWork();
  let running = 0;
  let isDelayed = false;

  const runBatch = async (batch: readonly Waiting<One, Answer>[]): Promise<void> => {
    let isCounted = true;
    running += 1;
    const releaseSlot = (): void => {
      if (isCounted) running -= 1;
      isCounted = false;
      begin();
    };
    await settle(batch, (ones) => run(ones, releaseSlot));
    line.done(batch);
    releaseSlot();
  };

  const start = (): void => {
    for (let free = inFlight - running; free > 0; free -= 1) {
      const batch = line.next();
      if (batch.length === 0) return;
      void work.track(runBatch(batch));
    }
  };

  const startSoon = async (): Promise<void> => {
    isDelayed = true;
    await setImmediate();
    isDelayed = false;
    start();
  };

  const begin = (): void => {
    if (!delayToNextTick) start();
    else if (!isDelayed && running < inFlight) void work.track(startSoon());
  };

  return {
    add: (one) =>
      new Promise((resolve, reject) => {
        const stop = callAfter(msLeft() ?? Infinity, () => {
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

/** Those who wait, in the order in which they came, but for keys that are in flight. */
function waitingLine<One, Answer>({ max, exclusiveKey }: Pick<BatchOptions<One, Answer>, 'max' | 'exclusiveKey'>) {
  const waiting = new Set<Waiting<One, Answer>>();
  const keysInFlight = new Set<string>();
  return {
    join: (mine: Waiting<One, Answer>): void => void waiting.add(mine),
    leave: (mine: Waiting<One, Answer>): void => void waiting.delete(mine),
    /** Takes the next batch out of the line; empty where none may begin. */
    next(): Waiting<One, Answer>[] {
      const batch: Waiting<One, Answer>[] = [];
      for (const mine of waiting) {
        const key = exclusiveKey?.(mine.one);
        if (key !== undefined && keysInFlight.has(key)) continue;
        if (key !== undefined) keysInFlight.add(key);
        waiting.delete(mine);
        if (batch.push(mine) === max) break;
      }
      return batch;
    },
    /** The batch is no longer in flight: others with its keys may begin. */
    done(batch: readonly Waiting<One, Answer>[]): void {
      if (exclusiveKey !== undefined) for (const { one } of batch) keysInFlight.delete(exclusiveKey(one));
    },
  };
}

/** Does a batch's work, and gives everyone in it the answer or the rejection. */
async function settle<One, Answer>(
  batch: readonly Waiting<One, Answer>[],
  run: (batch: readonly One[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await run(batch.map(({ one }) => one));
    if (answers.length !== batch.length)
      throw new Error(`A batch of ${batch.length} must have as many answers (got ${answers.length})`);
    for (const [index, answer] of answers.entries()) {
      const mine = batch[index];
      mine?.stop();
      mine?.resolve(answer);
    }
  } catch (error) {
    for (const { stop, reject } of batch) {
      stop();
      reject(error);
    }
  }
}
