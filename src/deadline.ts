import { AsyncLocalStorage } from 'node:async_hooks';

import { steadyMs } from './clock.ts';

/** Time that a caller has for waiting; what it does beside, such as sending its body, does not count. */
export interface Patience {
  /** Does `work` with the time that is left: whatever it asks of the database, however deep inside, ends by then. */
  spend<T>(work: () => T): T;
}

/** Somebody has waited as long as was decided. */
export class OutOfPatience extends Error {
  override readonly name = 'OutOfPatience';
  readonly code = 'OUT_OF_PATIENCE';
}

/** When the work at hand has waited long enough, on the process's own clock; nothing while it may wait for ever. */
const ends = new AsyncLocalStorage<number | undefined>();

/** Patience of `ms` real milliseconds in all. */
export function patience(ms: number): Patience {
  let left = ms;
  return {
    spend(work) {
      const began = steadyMs();
      const result = ends.run(began + left, work);
      const count = (): void => {
        left -= steadyMs() - began;
      };
      if (result instanceof Promise) result.then(count, count);
      else count();
      return result;
    },
  };
}

/** Does `work` with patience of its own, whatever is left of the one around it. */
export function within<T>(ms: number, work: () => T): T {
  return patience(ms).spend(work);
}

/** Does `work` for all who need it, so that the impatience of the one who began it cuts nothing short. */
export function unhurried<T>(work: () => T): T {
  return ends.run(undefined, work);
}

/** Real milliseconds that are left, 0 when it is too late; undefined where nothing presses. */
export function msLeft(): number | undefined {
  const end = ends.getStore();
  return end === undefined ? undefined : Math.max(0, end - steadyMs());
}

/**
 * Waits for `result` while patience lasts, then throws `OutOfPatience`; the work itself goes on. `tooLate` gets what
 * comes after all.
 */
export async function inTime<T>(result: Promise<T>, tooLate: (late: T) => void = () => {}): Promise<T> {
  const left = msLeft();
  if (left === undefined) return result;
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    over.reject(new OutOfPatience('It took too long to wait for'));
    result.then(tooLate, () => {});
  }, left);
  try {
    return await Promise.race([result, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work`, at most `ms` real milliseconds; work that takes longer goes on, and its result is ignored. */
export async function withTimeout(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, enough]);
  } finally {
    clearTimeout(timer);
  }
}

/** Calls `late` after `ms` real milliseconds, never for `Infinity`, unless the function that it returns is called first. */
export type CallAfter = (ms: number, late: () => void) => () => void;

interface Pending {
  readonly end: number;
  readonly late: () => void;
}

/** Watches over many waits, nearly all of which end in time, with one timer: one in seconds rather than one each. */
export function sharedTimer(): CallAfter {
  const pending = new Set<Pending>();
  let timer: NodeJS.Timeout | undefined;
  let looksAt = Infinity;

  const lookBy = (end: number): void => {
    if (end >= looksAt) return;
    clearTimeout(timer);
    looksAt = end;
    // What is watched has a connection that keeps the process alive; a look at nothing must not.
    timer = setTimeout(look, Math.max(1, Math.ceil(end - steadyMs()))).unref();
  };

  const look = (): void => {
    looksAt = Infinity;
    const now = steadyMs();
    for (const one of pending) {
      if (one.end > now) continue;
      pending.delete(one);
      one.late();
    }
    lookBy(Math.min(...Array.from(pending, ({ end }) => end)));
  };

  return (ms, late) => {
    if (ms === Infinity) return () => {};
    const one = { end: steadyMs() + ms, late };
    pending.add(one);
    lookBy(one.end);
    return () => void pending.delete(one);
  };
}
