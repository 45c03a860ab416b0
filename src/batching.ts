import { setImmediate } from 'node:timers/promises';

import { callAfter, DeadlineExceeded, msLeft } from './deadline.ts';
import { pendingWork } from './in-flight.ts';

interface BatchOptions<One, Answer> {
  /** Concurrent batches; arrivals meanwhile go into the next. */
  readonly inFlight: number;
  readonly max: number;
  /** Begins on the next turn of the event loop: fewer, larger batches, for batches with a high fixed cost. */
  readonly delayToNextTick?: true;
  readonly exclusiveKey?: (one: One) => string;
  /** A rejection goes to everyone in the batch. */
  readonly run: (batch: readonly One[]) => Promise<readonly Answer[]>;
}

export type Batcher<One, Answer> = ReturnType<typeof batcher<One, Answer>>;

interface WaitingItem<One, Answer> {
  readonly one: One;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly stop: () => void;
}

/** For work that costs the same for one as for many: arrivals during a batch form the next one. */
export function batcher<One, Answer>({ inFlight, delayToNextTick, run, ...order }: BatchOptions<One, Answer>) {
  const line = waitingLine<One, Answer>(order);
  const work = pendingWork();
  let running = 0;
  let isDelayed = false;

  const runBatch = async (batch: readonly WaitingItem<One, Answer>[]): Promise<void> => {
    running += 1;
    await settle(batch, run);
    line.done(batch);
    running -= 1;
    begin();
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
    /** Throws `DeadlineExceeded` at the caller's deadline; work that has not begun is then dropped. */
    add: (one: One) =>
      new Promise<Answer>((resolve, reject) => {
        const stop = callAfter(msLeft() ?? Infinity, () => {
          line.leave(mine);
          reject(new DeadlineExceeded('It took too long to wait for'));
        });
        const mine: WaitingItem<One, Answer> = { one, resolve, reject, stop };
        line.join(mine);
        begin();
      }),
    settled: () => work.settled(),
  };
}

function waitingLine<One, Answer>({ max, exclusiveKey }: Pick<BatchOptions<One, Answer>, 'max' | 'exclusiveKey'>) {
  const waiting = new Set<WaitingItem<One, Answer>>();
  const keysInFlight = new Set<string>();
  return {
    join: (mine: WaitingItem<One, Answer>): void => void waiting.add(mine),
    leave: (mine: WaitingItem<One, Answer>): void => void waiting.delete(mine),
    next(): WaitingItem<One, Answer>[] {
      const batch: WaitingItem<One, Answer>[] = [];
      for (const mine of waiting) {
        const key = exclusiveKey?.(mine.one);
        if (key !== undefined && keysInFlight.has(key)) continue;
        if (key !== undefined) keysInFlight.add(key);
        waiting.delete(mine);
        if (batch.push(mine) === max) break;
      }
      return batch;
    },
    done(batch: readonly WaitingItem<One, Answer>[]): void {
      if (exclusiveKey !== undefined) for (const { one } of batch) keysInFlight.delete(exclusiveKey(one));
    },
  };
}

async function settle<One, Answer>(
  batch: readonly WaitingItem<One, Answer>[],
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
