import { AsyncLocalStorage } from 'node:async_hooks';

import { steadyMs } from './clock.ts';

/** A caller's time budget. Only the time spent inside `run` counts, not what is done between, such as reading the body. */
export interface TimeBudget {
  /** Runs `work` with the time that is left as its deadline: its database calls, however deep inside, end by then. */
  readonly run: <T>(work: () => T) => T;
}

/** A deadline passed before the work was done. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  readonly code = 'DEADLINE_EXCEEDED';
}

/** The deadline of the work at hand on the process's steady clock, in milliseconds; undefined where there is none. */
const deadlines = new AsyncLocalStorage<number | undefined>();

/** A budget of `ms` real milliseconds over all runs. */
export function timeBudget(ms: number): TimeBudget {
  let left = ms;
  return {
    run(work) {
      const began = steadyMs();
      const result = deadlines.run(began + left, work);
      const subtract = (): void => {
        left -= steadyMs() - began;
      };
      if (result instanceof Promise) result.then(subtract, subtract);
      else subtract();
      return result;
    },
  };
}

/** Runs `work` with a deadline `ms` real milliseconds from now, which replaces any deadline around it. */
export function withDeadline<T>(ms: number, work: () => T): T {
  return deadlines.run(steadyMs() + ms, work);
}

/** Runs `work` without a deadline: work that several callers share must not end with the first caller's deadline. */
export function withoutDeadline<T>(work: () => T): T {
  return deadlines.run(undefined, work);
}

/** Real milliseconds until the deadline, 0 once it has passed; undefined where there is none. */
export function msLeft(): number | undefined {
  const deadline = deadlines.getStore();
  return deadline === undefined ? undefined : Math.max(0, deadline - steadyMs());
}

/** Returns `result`, or throws `DeadlineExceeded` when the deadline passes first. The work itself goes on. */
export async function beforeDeadline<T>(result: Promise<T>): Promise<T> {
  const left = msLeft();
  if (left === undefined) return result;
  const exceeded = Promise.withResolvers<never>();
  const late = (): void => exceeded.reject(new DeadlineExceeded('The deadline passed before the work was done'));
  const stop = callAfter(left, late);
  try {
    return await Promise.race([result, exceeded.promise]);
  } finally {
    stop();
  }
}

/** Waits for `work`, at most `ms` real milliseconds; slower work keeps running and its result is ignored. */
export async function withTimeout(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const stop = callAfter(ms, timeout.resolve);
  try {
    await Promise.race([work, timeout.promise]);
  } finally {
    stop();
  }
}

/** Calls `late` after `ms` real milliseconds, never for `Infinity`, unless the function that it returns is called first. */
export function callAfter(ms: number, late: () => void): () => void {
  if (ms === Infinity) return () => {};
  // After a pause of the process timers are due before its sockets are read: what has come in time is not late.
  let last: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (last = setImmediate(late)), Math.ceil(ms));
  return () => {
    clearTimeout(timer);
    clearImmediate(last);
  };
}
