import { GraphQLError, type GraphQLFormattedError } from 'graphql';

import type { Asked } from '../graphql/document-transport.ts';
import { withDeadline } from '../deadline.ts';
import type { PendingWork } from '../in-flight.ts';
import { ANSWER_MS, type LimitName, ROOT_FIELD_LIMITS } from '../limits.ts';
import { addressKey } from '../rules/address-key.ts';
import { frameHead } from './frames.ts';
import type { Hub } from './hub.ts';
import { type Operation, type OperationDeps, sharedOperation } from './operation.ts';
import type { Sink } from './shared-execution.ts';
import { CLOSE, type Peer } from './socket.ts';
import { DomainError } from '../rules/errors.ts';

export interface FeedContext {
  viewer(): Promise<object | null>;
  admit(limit: LimitName, asked?: string, uses?: number): Promise<void>;
}

/** Executions in an `alreadyCounted` context spend no budget. */
interface FeedCaller {
  readonly ip: string;
  readonly foreignOrigin: string | undefined;
  readonly authorization: string | undefined;
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
  readonly caller: Omit<FeedCaller, 'alreadyCounted'>;
  readonly id: string;
  readonly asked: Asked;
}

/** Counts one use of the field's budget. The hub writes frames directly to the socket; the returned iterator only ends or fails. */
export async function subscribeOnSocket(
  deps: SocketSubscriptionDeps,
  { peer, caller, id, asked }: Request,
): Promise<NeverIterator> {
  let end: (() => void) | null = null;
  const iterator = neverIterator(() => end?.());
  const fail = (error: Error): void => {
    end?.();
    if (!isServerFault(error)) {
      iterator.fail(error);
      return;
    }
    deps.report(error);
    peer.close(CLOSE.fault);
  };
  try {
    const operation = operationOf(deps, caller, asked);
    const limit = ROOT_FIELD_LIMITS.get(operation.field);
    if (limit !== undefined) {
      const context = deps.newContext({ ...caller, alreadyCounted: false });
      await deps.work.track(withDeadline(ANSWER_MS, () => context.admit(limit, operation.field)));
    }
    const leave = deps.hub.subscribe(socketSink(peer, id, fail), operation);
    if (leave === null) peer.close(CLOSE.keepsTooMuch);
    else end = peer.begin(id, leave);
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)));
  }
  return iterator;
}

function operationOf(
  deps: SocketSubscriptionDeps,
  { authorization, ...from }: Request['caller'],
  asked: Asked,
): Operation {
  return sharedOperation(
    {
      ...deps,
      newContext: (viewer) =>
        deps.newExecutionContext({ ...from, authorization: viewer ?? undefined, alreadyCounted: true }),
    },
    asked,
    authorization ?? null,
  );
}

function socketSink(peer: Peer, id: string, fail: (error: Error) => void): Sink {
  const head = frameHead(id);
  return {
    address: addressKey(peer.ip),
    send: (tail) => peer.sendFrame(head, tail),
    ready: () => peer.calm(),
    fail,
  };
}

interface NeverIterator extends AsyncGenerator<never, undefined> {
  readonly fail: (error: Error) => void;
}

/** `next` stays pending after `return`: otherwise graphql-ws would end a newer operation of the same id. */
function neverIterator(onEnd: () => void): NeverIterator {
  const { promise, reject } = Promise.withResolvers<IteratorResult<never, undefined>>();
  // The subscription may fail before graphql-ws iterates.
  promise.catch(() => {});
  const end = async (): Promise<IteratorResult<never, undefined>> => {
    onEnd();
    return { done: true, value: undefined };
  };
  return {
    next: () => promise,
    return: end,
    throw: end,
    fail: reject,
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}

/** True: the service caused the error, so the client may come back and resume. */
function isServerFault(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  if (!(error instanceof GraphQLError)) return true;
  return error.originalError !== undefined && isServerFault(error.originalError);
}
