import { GraphQLError, type GraphQLFormattedError } from 'graphql';

import type { CheckedOperation } from '../graphql/document-transport.ts';
import { withDeadline } from '../deadline.ts';
import type { PendingWork } from '../in-flight.ts';
import { ANSWER_MS, type LimitName, ROOT_FIELD_LIMITS } from '../limits.ts';
import { addressKey } from '../rules/address-key.ts';
import { frameHead, type SharedPayload } from './frames.ts';
import type { Hub } from './hub.ts';
import { type Operation, type OperationDeps, sharedOperation } from './operation.ts';
import type { Sink } from './shared-execution.ts';
import type { Peer, SocketHandshake } from './peer.ts';
import { CLOSE } from './socket.ts';
import { DomainError } from '../rules/errors.ts';

export interface FeedContext {
  viewer(): Promise<object | null>;
  admit(limit: LimitName, endpoint?: string, uses?: number): Promise<void>;
}

/** Executions in an `alreadyCounted` context spend no budget. */
interface FeedCaller extends SocketHandshake {
  readonly alreadyCounted: boolean;
}

export interface SocketSubscriptionDeps extends Pick<OperationDeps, 'ownFields' | 'elsewhere'> {
  readonly hub: Hub;
  readonly newContext: (caller: FeedCaller) => FeedContext;
  /** These have their own connections and spend only the cost budget. */
  readonly newExecutionContext: (caller: FeedCaller) => FeedContext;
  readonly formatErrors: (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[];
  readonly work: PendingWork;
  readonly report: (error: unknown) => void;
}

interface Request {
  readonly peer: Peer;
  readonly caller: SocketHandshake;
  readonly id: string;
  readonly checked: CheckedOperation;
}

/** Counts one use of the field's budget. The hub writes frames directly to the socket; graphql-ws gets an iterator that only ends or fails. */
export async function subscribeOnSocket(deps: SocketSubscriptionDeps, request: Request): Promise<SocketSubscription> {
  const { peer, caller, id, checked } = request;
  const subscription = new SocketSubscription(peer, id, deps.report);
  try {
    const operation = operationOf(deps, caller, checked);
    const limit = ROOT_FIELD_LIMITS.get(operation.field);
    if (limit !== undefined) {
      const context = deps.newContext({ ...caller, alreadyCounted: false });
      await deps.work.track(withDeadline(ANSWER_MS, () => context.admit(limit, operation.field)));
    }
    const leave = deps.hub.subscribe(subscription, operation);
    if (leave === null) peer.close(CLOSE.keepsTooMuch);
    else subscription.end = peer.begin(id, leave);
  } catch (error) {
    subscription.fail(error instanceof Error ? error : new Error(String(error)));
  }
  return subscription;
}

function operationOf(
  deps: SocketSubscriptionDeps,
  { authorization, ...from }: Request['caller'],
  checked: CheckedOperation,
): Operation {
  return sharedOperation(
    {
      ...deps,
      newContext: (viewer) =>
        deps.newExecutionContext({ ...from, authorization: viewer ?? undefined, alreadyCounted: true }),
    },
    checked,
    authorization ?? null,
  );
}

/** `next` stays pending after `return`: otherwise graphql-ws would end a newer operation of the same id. */
class SocketSubscription implements Sink, AsyncGenerator<never, undefined> {
  readonly address: string;
  end: (() => void) | null = null;
  private readonly peer: Peer;
  private readonly head: Buffer;
  private readonly report: (error: unknown) => void;
  private failure: Error | null = null;
  private reject: ((error: Error) => void) | null = null;

  constructor(peer: Peer, id: string, report: (error: unknown) => void) {
    this.peer = peer;
    this.address = addressKey(peer.ip);
    this.head = frameHead(id);
    this.report = report;
  }

  send(payload: SharedPayload): void {
    this.peer.sendFrame(this.head, payload);
  }

  ready(): Promise<void> {
    return this.peer.calm();
  }

  fail(error: Error): void {
    this.end?.();
    if (isServerFault(error)) {
      this.report(error);
      this.peer.close(CLOSE.fault);
      return;
    }
    // The subscription may fail before graphql-ws iterates.
    this.failure = error;
    this.reject?.(error);
  }

  next(): Promise<IteratorResult<never, undefined>> {
    return new Promise((_resolve, reject) => {
      this.reject = reject;
      if (this.failure !== null) reject(this.failure);
    });
  }

  async return(): Promise<IteratorResult<never, undefined>> {
    this.end?.();
    return { done: true, value: undefined };
  }

  throw(): Promise<IteratorResult<never, undefined>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

/** True: the service caused the error, so the client may come back and resume. */
function isServerFault(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  if (!(error instanceof GraphQLError)) return true;
  return error.originalError !== undefined && isServerFault(error.originalError);
}
