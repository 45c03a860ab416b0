import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';

import { withDeadline } from '../deadline.ts';
import { ANSWER_MS, asksForSchema, FEED_LIMITS } from '../limits.ts';
import { CLOSE, type Peer } from './socket.ts';
import type { ProtocolOptions } from './socket-server.ts';
import { type SocketSubscriptionDeps, subscribeOnSocket } from './socket-subscription.ts';
import { DomainError } from '../rules/errors.ts';

export interface SocketOperationDeps extends SocketSubscriptionDeps {
  /** The checks that a document passes over HTTP too: returns it parsed, or its errors. */
  readonly check: (payload: SubscribePayload) => DocumentNode | readonly GraphQLError[];
  /** Takes what a query costs whose document was checked from its address's budget. Throws `RATE_LIMITED`. */
  readonly pay: (context: Payer, args: ExecutionArgs) => Promise<void>;
}

type Payer = Pick<ReturnType<SocketSubscriptionDeps['newContext']>, 'admit'>;

type SocketState = Context<Record<string, unknown>, Peer>;

/** How operations run on a socket: queries and mutations one by one, subscriptions through the hub. */
export function socketOperations(given: SocketOperationDeps): ProtocolOptions {
  const deps = { ...given, report: reportOnce(given.report) };
  const placeholders = openPlaceholders();
  return {
    schema: deps.schema,
    onConnect: (state) => {
      const connected = closingOnFault(deps, state, () => mayConnect(deps, state));
      state.extra.connecting = connected;
      return connected;
    },
    onSubscribe: async (state, _id, payload) => {
      const prepared = await closingOnFault(deps, state, () => prepare(deps, state, payload));
      return 'document' in prepared && isSubscription(prepared) ? placeholders.give(prepared) : prepared;
    },
    execute: (args) => deps.work.track(withDeadline(ANSWER_MS, async () => deps.execute(args))),
    // Subscriptions begin in onOperation, which knows the socket and the operation's id.
    subscribe: () => ({ data: null }),
    onOperation: (state, id, _payload, args) => {
      const asked = placeholders.take(args);
      if (asked === undefined) return undefined;
      return subscribeOnSocket(deps, { peer: state.extra, caller: callerOf(state), id, args: asked });
    },
    onNext: (_state, _id, _payload, _args, { data, errors }) => ({
      ...(data === undefined ? {} : { data }),
      ...(errors ? { errors: deps.formatErrors(errors) } : {}),
    }),
    onError: (_state, _id, _payload, errors) => deps.formatErrors(errors),
  };
}

/** A fault of the service closes the socket with a code after which clients connect again. */
async function closingOnFault<T>(deps: SocketOperationDeps, state: SocketState, work: () => Promise<T>): Promise<T> {
  try {
    return await deps.work.track(withDeadline(ANSWER_MS, work));
  } catch (error) {
    deps.report(error);
    state.extra.close(CLOSE.fault);
    throw error;
  }
}

/** A key is optional, but one that is given must be valid. */
async function mayConnect({ newContext }: SocketOperationDeps, state: SocketState): Promise<boolean> {
  if (state.connectionParams?.['authorization'] === undefined) return true;
  const peer = state.extra;
  try {
    const viewer = await newContext({ ...callerOf(state), alreadyCounted: true }).viewer();
    if (viewer !== null) return true;
    peer.close(CLOSE.wrongKey);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'RATE_LIMITED')) throw error;
    peer.close({ code: CLOSE.tooManyConnections.code, reason: error.message });
  }
  return false;
}

/** The key in the payload of `connection_init`, as a header would carry it. */
function authorizationOf({ connectionParams }: SocketState): string | undefined {
  const authorization = connectionParams?.['authorization'];
  return typeof authorization === 'string' ? authorization : undefined;
}

function callerOf(state: SocketState) {
  const { ip, foreignOrigin } = state.extra;
  return { ip, foreignOrigin, authorization: authorizationOf(state) };
}

async function prepare(
  deps: SocketOperationDeps,
  state: SocketState,
  payload: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const max = FEED_LIMITS.subscriptionsPerSocket;
  if (Object.keys(state.subscriptions).length > max) {
    return [new GraphQLError(`Too many operations on this socket (limit ${max}); complete one first.`)];
  }
  const newContext = () => deps.newContext({ ...callerOf(state), alreadyCounted: false });
  if (asksForSchema(payload.query)) {
    const refusal = await refusalOf(newContext().admit('introspection', 'introspection'));
    if (refusal !== null) return [refusal];
  }
  const document = deps.check(payload);
  if (!('kind' in document)) return document;
  const args: ExecutionArgs = {
    schema: deps.schema,
    document,
    operationName: payload.operationName ?? null,
    variableValues: payload.variables ?? {},
  };
  // A subscription makes its contexts itself, one for each execution.
  if (isSubscription(args)) return { ...args, contextValue: undefined };
  const contextValue = newContext();
  const refusal = await refusalOf(deps.pay(contextValue, args));
  return refusal === null ? { ...args, contextValue } : [refusal];
}

/** The error for a caller whose budget is used up; null while it is not. */
async function refusalOf(admitted: Promise<void>): Promise<GraphQLError | null> {
  try {
    await admitted;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return new GraphQLError(error.message, { originalError: error });
    throw error;
  }
}

function isSubscription({ document, operationName }: ExecutionArgs): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
}

const ANY_SUBSCRIPTION = parse('subscription { any }');

/**
 * What graphql-ws is given in the place of a subscription's arguments. It keeps them for as long as the subscription
 * lasts, though nothing reads them again: 10 KB of parsed document for each subscriber.
 */
function openPlaceholders() {
  const asked = new WeakMap<ExecutionArgs, ExecutionArgs>();
  return {
    give({ schema, ...args }: ExecutionArgs): ExecutionArgs {
      const placeholder = { schema, document: ANY_SUBSCRIPTION, contextValue: undefined };
      asked.set(placeholder, { schema, ...args });
      return placeholder;
    },
    /** The arguments that this one stands for, once; undefined where it stands for none. */
    take(placeholder: ExecutionArgs): ExecutionArgs | undefined {
      const args = asked.get(placeholder);
      asked.delete(placeholder);
      return args;
    },
  };
}

/** Reports an error only once: a fault of a shared execution reaches each of its subscribers. */
function reportOnce(report: (error: unknown) => void): (error: unknown) => void {
  const seen = new WeakSet<object>();
  return (error) => {
    if (typeof error === 'object' && error !== null) {
      if (seen.has(error)) return;
      seen.add(error);
    }
    report(error);
  };
}
