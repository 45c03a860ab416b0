import { steadyMs } from './clock.ts';
import { inScope, requestScope } from './request-scope.ts';

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  readonly code = 'DEADLINE_EXCEEDED';
}

export type TimeBudget = ReturnType<typeof timeBudget>;

/** Only time spent inside `run` counts, not time between, such as reading the body. */
export function timeBudget(ms: number, requestId = requestScope().requestId) {
  let left = ms;
  return {
    run<T>(work: () => T): T {
      const began = steadyMs();
      const result = inScope({ requestId, deadline: began + left }, work);
      const subtract = (): void => {
        left -= steadyMs() - began;
      };
      if (result instanceof Promise) result.then(subtract, subtract);
      else subtract();
      return result;
    },
  };
}

export function withDeadline<T>(ms: number, work: () => T): T {
  return inScope({ deadline: steadyMs() + ms }, work);
}

/** For shared work, which must not end with its first caller's deadline. */
export function withoutDeadline<T>(work: () => T): T {
  return inScope({ deadline: undefined }, work);
}

/** Real milliseconds, 0 once it has passed; undefined without a deadline. */
export function msLeft(): number | undefined {
  const { deadline } = requestScope();
  return deadline === undefined ? undefined : Math.max(0, deadline - steadyMs());
}

/** Throws `DeadlineExceeded` at the deadline. The work itself continues. */
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

/** Waits at most `ms` real milliseconds; slower work continues and its result is ignored. */
export async function withTimeout(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const stop = callAfter(ms, timeout.resolve);
  try {
    await Promise.race([work, timeout.promise]);
  } finally {
    stop();
  }
}

/** Calls `late` after `ms` real milliseconds (never for `Infinity`) unless the returned function is called first. */
export function callAfter(ms: number, late: () => void): () => void {
  if (ms === Infinity) return () => {};
  // After a pause of the process timers fire before sockets are read: an answer that arrived in time is not late.
  let last: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (last = setImmediate(late)), Math.ceil(ms));
  return () => {
    clearTimeout(timer);
    clearImmediate(last);
  };
}
