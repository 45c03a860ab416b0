import { GraphQLError } from 'graphql';

import { DomainError } from '../rules/errors.ts';
import { SharedPayload } from './frames.ts';

export type RootValue = Readonly<Record<string, unknown>>;

/** Root values share their database reads. A promise rejects when its result must not be sent. */
export type Execute = (roots: readonly RootValue[]) => readonly Promise<string>[];

/** Replays and live updates have separate budgets, so that a replay never ends an address's live subscriptions. */
export type CostBudget = 'subscriptionReplays' | 'subscriptionUpdates';

export type Spend = (budget: CostBudget, address: string, cost: number) => Promise<void>;

/** Returns the queue in which the executions wait. Throws `RATE_LIMITED`. */
export type Pay = (cost: number) => Promise<QueueKey>;

export function isOverBudget(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'RATE_LIMITED';
}

export function refusalIn(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  return error instanceof GraphQLError ? refusalIn(error.originalError) : null;
}

export type Executions = ReturnType<typeof openExecutions>;

interface ExecutionDeps {
  readonly execute: Execute;
  readonly cost: number;
  readonly queues: Pick<AddressQueues, 'take'>;
}

const MAX_TOGETHER = 100;
const MAX_COST_TOGETHER = 2_000;

/** The result of a failed execution is dropped: the next request tries again. */
export function openExecutions(deps: ExecutionDeps) {
  let results = new WeakMap<RootValue, Promise<SharedPayload>>();
  const begin = (roots: readonly RootValue[], pay: Pay): void => {
    const begun = results;
    const running = roots.length > 0 ? runInTurn(deps, roots, pay) : Promise.resolve([]);
    for (const [index, root] of roots.entries()) {
      const result = running.then((texts) => texts[index]).then((text) => new SharedPayload(text ?? ''));
      begun.set(root, result);
      result.catch(() => begun.delete(root));
    }
  };
  const of = (roots: readonly RootValue[], pay: Pay): readonly Promise<SharedPayload>[] => {
    const mine = new Set(roots.filter((root) => !results.has(root)));
    begin([...mine], pay);
    return roots.map((root) => {
      const result = results.get(root) ?? Promise.reject(new Error('No execution was started for a requested root'));
      if (mine.has(root)) return result;
      const again = result.catch((error: unknown) => {
        // The first requester had no budget left; another one may have some.
        if (!isOverBudget(error)) throw error;
        return Promise.all(of([root], pay)).then(([own]) => own ?? result);
      });
      again.catch(() => {});
      return again;
    });
  };
  return {
    of,
    forget: (): void => {
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

type QueueKey = string | symbol;

export type AddressQueues = ReturnType<typeof openQueues>;

/** Expensive executions block the event loop, so more at a time would only delay all others. */
const CONCURRENCY = 2;

export function openQueues(concurrency: number = CONCURRENCY) {
  const waiting = new Map<QueueKey, (() => void)[]>();
  const running = new Map<QueueKey, number>();
  let free = concurrency;
  const beginNext = (): void => {
    for (const [queue, works] of waiting) {
      if (free === 0) return;
      // The last slot is for other queues: one queue with slow executions must not block them.
      if ((running.get(queue) ?? 0) >= Math.max(1, concurrency - 1)) continue;
      const begin = works.shift();
      waiting.delete(queue);
      if (works.length > 0) waiting.set(queue, works);
      begin?.();
    }
  };
  const count = (queue: QueueKey, change: 1 | -1): void => {
    free -= change;
    const now = (running.get(queue) ?? 0) + change;
    if (now === 0) running.delete(queue);
    else running.set(queue, now);
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
    /** Waiting work never begins, and its promises never settle. */
    stop: () => waiting.clear(),
  };
}
