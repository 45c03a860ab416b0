import { setImmediate } from 'node:timers/promises';

import { type Executions, isOverBudget, type Pay, type RootValue, type Spend } from './executions.ts';
import type { SharedPayload } from './frames.ts';

export interface Sink {
  readonly address: string;
  send(payload: SharedPayload): void;
  ready(): Promise<void>;
  fail(error: Error): void;
}

export interface Subscriber {
  readonly sink: Sink;
  lastSeq: number;
}

interface Position {
  readonly seq: number;
  readonly isEvent: boolean;
}

export type SharedExecution = ReturnType<typeof openSharedExecution>;

interface SharedExecutionDeps {
  readonly executions: Executions;
  readonly spend: Spend;
  readonly onEmpty: () => void;
}

export function openSharedExecution({ executions, spend, onEmpty }: SharedExecutionDeps) {
  const live = new Set<Subscriber>();
  const subscribers = openSubscribers(live, onEmpty);
  let last: Promise<void> = Promise.resolve();
  /** Queues work among the publications. An error fails the subscribers that `concerned` returns. */
  const inTurn = (work: () => Promise<void>, concerned: () => Iterable<Subscriber>): void => {
    last = last.then(work).catch((error: unknown) => {
      for (const subscriber of concerned()) subscribers.fail(subscriber, error);
    });
  };
  const payForUpdate = payInTurn(live, spend);
  const sendToAll = async (root: RootValue, position: Position): Promise<void> => {
    if (live.size === 0) return;
    const [payload] = await Promise.all(executions.of([root], payForUpdate));
    if (payload !== undefined) await sendTo(live, payload, position);
    await setImmediate();
  };
  let replaceable: { root: RootValue; position: Position } | null = null;
  return {
    ...subscribers,
    inTurn,
    /** Sends to live subscribers not beyond `position`; their addresses pay in rotation. A newer publication without an event replaces one that is still queued. */
    publish(root: RootValue, position: Position): void {
      if (replaceable !== null && !position.isEvent) {
        Object.assign(replaceable, { root, position });
        return;
      }
      const due = { root, position };
      replaceable = position.isEvent ? null : due;
      const run = (): Promise<void> => {
        if (replaceable === due) replaceable = null;
        return sendToAll(due.root, due.position);
      };
      inTurn(run, () => [...live].filter((subscriber) => !isBeyond(subscriber, due.position)));
    },
    /** The results with which `payers` begin or catch up, charged to one address's budget. */
    payloadsFor: (payers: Iterable<Subscriber>, roots: readonly RootValue[]) =>
      executions.of(roots, (cost) => payerAmong(payers, (address) => spend('subscriptionReplays', address, cost))),
    together: executions.together,
    forget: () => executions.forget(),
  };
}

function openSubscribers(live: Set<Subscriber>, onEmpty: () => void) {
  const all = new Set<Subscriber>();
  const leave = (subscriber: Subscriber): void => {
    live.delete(subscriber);
    if (all.delete(subscriber) && all.size === 0) onEmpty();
  };
  return {
    add: (subscriber: Subscriber) => void all.add(subscriber),
    has: (subscriber: Subscriber) => all.has(subscriber),
    goLive: (subscriber: Subscriber) => void live.add(subscriber),
    leave,
    fail(subscriber: Subscriber, error: unknown): void {
      if (!all.has(subscriber)) return;
      leave(subscriber);
      subscriber.sink.fail(error instanceof Error ? error : new Error(String(error)));
    },
  };
}

function payInTurn(live: Set<Subscriber>, spend: Spend): Pay {
  /** Executions shared by several addresses have a separate queue, so they do not wait for other executions of one address. */
  const queueOfAll = Symbol('shared execution');
  return async (cost) => {
    putFirstLast(live);
    const payer = await payerAmong(live, (address) => spend('subscriptionUpdates', address, cost));
    return isOfOneAddress(live) ? payer : queueOfAll;
  };
}

/** The first address with budget left. Subscribers without budget are served too: the execution is needed anyway. */
async function payerAmong(payers: Iterable<Subscriber>, spend: (address: string) => Promise<void>): Promise<string> {
  const tried = new Set<string>();
  let refusal: unknown = new Error('No subscriber is left to pay for an execution');
  for (const { sink } of payers) {
    if (tried.has(sink.address)) continue;
    tried.add(sink.address);
    try {
      await spend(sink.address);
      return sink.address;
    } catch (error) {
      if (!isOverBudget(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

function putFirstLast(subscribers: Set<Subscriber>): void {
  const [first] = subscribers;
  if (first === undefined) return;
  subscribers.delete(first);
  subscribers.add(first);
}

function isOfOneAddress(subscribers: Iterable<Subscriber>): boolean {
  let known: string | null = null;
  for (const { sink } of subscribers) {
    known ??= sink.address;
    if (sink.address !== known) return false;
  }
  return true;
}

/** Payloads sent before the event loop serves others. */
const SLICE = 250;

async function sendTo(live: Iterable<Subscriber>, payload: SharedPayload, position: Position): Promise<void> {
  let sent = 0;
  for (const subscriber of live) {
    if (isBeyond(subscriber, position)) continue;
    subscriber.lastSeq = position.seq;
    subscriber.sink.send(payload);
    sent += 1;
    if (sent % SLICE === 0) await setImmediate();
  }
}

function isBeyond({ lastSeq }: Subscriber, { seq, isEvent }: Position): boolean {
  return isEvent ? lastSeq >= seq : lastSeq > seq;
}
