import { DomainError } from '../rules/errors.ts';
import { type SharedPayload, sharedPayload } from './frames.ts';

/** What an execution works on: it becomes the root value of the operation, under the field's name. */
export type RootValue = Readonly<Record<string, unknown>>;

/**
 * Runs the operation on root values, which share what they load from the database; each result as JSON text. A promise
 * rejects when its result must not be sent.
 */
export type Execute = (roots: readonly RootValue[]) => readonly Promise<string>[];

/** What subscriptions cost after their start has two budgets, so that a replay never ends what an address follows live. */
export type CostBudget = 'subscriptionReplays' | 'subscriptionUpdates';

/** Takes `cost` from a budget of an address; throws `RATE_LIMITED` when it is used up. */
export type Spend = (budget: CostBudget, address: string, cost: number) => Promise<void>;

/** Somebody pays for one or more executions; returns in which queue they wait. Throws `RATE_LIMITED`. */
export type Pay = (cost: number) => Promise<QueueKey>;

/** Whether somebody could not pay. */
export function isOverBudget(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'RATE_LIMITED';
}

/** The results of one operation: each root value is executed once for all who ask, paid by the first of them. */
export interface Executions {
  /** Executes together what has no result yet. The returned promises may be ignored. */
  of(roots: readonly RootValue[], pay: Pay): readonly Promise<SharedPayload>[];
  /** Drops the results, which no longer show the present. */
  forget(): void;
  /** How many root values may be executed together. */
  readonly together: number;
}

interface ExecutionDeps {
  readonly execute: Execute;
  /** Of one execution. */
  readonly cost: number;
  readonly queues: Pick<AddressQueues, 'take'>;
}

/** Enough to share statements, and few enough to block the event loop only briefly. */
const MAX_TOGETHER = 100;
const MAX_COST_TOGETHER = 2_000;

/** The result of a failed execution is dropped: the next who asks tries again. */
export function openExecutions(deps: ExecutionDeps): Executions {
  let results = new WeakMap<RootValue, Promise<SharedPayload>>();
  const begin = (roots: readonly RootValue[], pay: Pay): void => {
    const home = results;
    const running = roots.length > 0 ? runInTurn(deps, roots, pay) : Promise.resolve([]);
    for (const [place, root] of roots.entries()) {
      const result = running.then((texts) => texts[place]).then((text) => sharedPayload(text ?? ''));
      home.set(root, result);
      result.catch(() => home.delete(root));
    }
  };
  const of: Executions['of'] = (roots, pay) => {
    const mine = new Set(roots.filter((root) => !results.has(root)));
    begin([...mine], pay);
    return roots.map((root) => {
      const result = results.get(root) ?? Promise.reject(new Error('An execution was not begun'));
      if (mine.has(root)) return result;
      const again = result.catch((error: unknown) => {
        // Whoever asked first could not pay; others who ask for the same may be able to.
        if (!isOverBudget(error)) throw error;
        return Promise.all(of([root], pay)).then(([own]) => own ?? result);
      });
      again.catch(() => {});
      return again;
    });
  };
  return {
    of,
    forget: () => {
      results = new WeakMap();
    },
    together: Math.min(MAX_TOGETHER, Math.max(1, Math.floor(MAX_COST_TOGETHER / deps.cost))),
  };
}

async function runInTurn(
  { execute, cost, queues }: ExecutionDeps,
  roots: readonly RootValue[],
  pay: Pay,
): Promise<readonly Promise<string>[]> {
  const queue = await pay(cost * roots.length);
  return queues.take(queue, async () => {
    const texts = execute(roots);
    await Promise.allSettled(texts);
    return texts;
  });
}

/** A queue of executions: of an address, or of a shared execution for several addresses. */
type QueueKey = string | symbol;

/** Runs few executions at a time; the queues that wait take turns, however many executions each of them has. */
export interface AddressQueues {
  /** Resolves as `work` does, which begins when its turn has come. */
  take<T>(queue: QueueKey, work: () => Promise<T>): Promise<T>;
  /** What still waits never begins, and its promises never settle. */
  stop(): void;
}

/**
 * Executions of subscriptions at a time, over the process. An expensive one also blocks the event loop for tens of
 * milliseconds: more at a time would only make all others wait.
 */
const CONCURRENCY = 2;

export function openQueues(concurrency: number = CONCURRENCY): AddressQueues {
  const waiting = new Map<QueueKey, (() => void)[]>();
  const running = laneCounts();
  let free = concurrency;
  const beginNext = (): void => {
    for (const [queue, works] of waiting) {
      if (free === 0) return;
      // The last place is for other queues: one whose executions are slow must not keep them waiting.
      if (running.of(queue) >= Math.max(1, concurrency - 1)) continue;
      const begin = works.shift();
      waiting.delete(queue);
      if (works.length > 0) waiting.set(queue, works);
      begin?.();
    }
  };
  const count = (queue: QueueKey, change: 1 | -1): void => {
    free -= change;
    running.add(queue, change);
  };
  return {
    take<T>(queue: QueueKey, work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const begin = (): void => {
        count(queue, 1);
        work()
          .then(resolve, reject)
          .finally(() => {
            count(queue, -1);
            beginNext();
          });
      };
      const works = waiting.get(queue) ?? [];
      works.push(begin);
      waiting.set(queue, works);
      beginNext();
      return promise;
    },
    stop: () => waiting.clear(),
  };
}

function laneCounts() {
  const counts = new Map<QueueKey, number>();
  const of = (queue: QueueKey): number => counts.get(queue) ?? 0;
  return {
    of,
    add(queue: QueueKey, change: 1 | -1): void {
      const now = of(queue) + change;
      if (now === 0) counts.delete(queue);
      else counts.set(queue, now);
    },
  };
}
