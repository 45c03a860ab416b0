import { type ExecutionArgs, GraphQLError, type GraphQLSchema, OperationTypeNode, parse } from 'graphql';
import { type Context, MessageType } from 'graphql-ws';

import { asksForSchema, type CheckedOperation, type DocumentTransport } from '../graphql/document-transport.ts';
import { withDeadline } from '../deadline.ts';
import { ANSWER_MS, FEED_LIMITS } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import type { Shares } from './bounds.ts';
import { keyIn } from './client-message.ts';
import type { Peer } from './peer.ts';
import { CLOSE } from './socket.ts';
import type { ProtocolOptions } from './socket-server.ts';
import { type FeedContext, type SocketSubscriptionDeps, subscribeOnSocket } from './socket-subscription.ts';

export interface SocketOperationDeps extends SocketSubscriptionDeps {
  readonly schema: GraphQLSchema;
  readonly check: DocumentTransport['check'];
  /** False: sockets with a key count as those without. */
  readonly checksKeys: boolean;
  readonly withoutKey: Shares;
}

type SocketState = Context<Record<string, unknown>, Peer>;

export function socketOperations(given: SocketOperationDeps): ProtocolOptions {
  const deps = { ...given, report: reportOnce(given.report) };
  const placeholders = openPlaceholders(deps.schema);
  return {
    schema: deps.schema,
    onConnect: (state) => {
      const connected = closingOnFault(deps, state, () => mayConnect(deps, state));
      state.extra.connecting = connected;
      return connected;
    },
    onSubscribe: async (state) => {
      const prepared = await closingOnFault(deps, state, () => prepare(deps, state));
      return 'checked' in prepared ? placeholders.give(prepared) : prepared;
    },
    execute: (args) => {
      const { checked, context } = placeholders.take(args);
      return deps.work.track(withDeadline(ANSWER_MS, async () => checked.execute(context)));
    },
    // Subscriptions begin in onOperation, which has the socket and the operation's id.
    subscribe: () => ({ data: null }),
    onOperation: (state, id, _payload, args) => {
      if (args.document !== STAND_INS.subscription) return undefined;
      const { checked } = placeholders.take(args);
      return subscribeOnSocket(deps, { peer: state.extra, caller: callerOf(state), id, checked });
    },
    onNext: (_state, _id, _payload, _args, { data, errors }) => ({
      ...(data === undefined ? {} : { data }),
      ...(errors ? { errors: deps.formatErrors(errors) } : {}),
    }),
    onError: (_state, _id, _payload, errors) => deps.formatErrors(errors),
  };
}

/** A fault of the service closes the socket with a code after which clients reconnect. */
async function closingOnFault<T>(deps: SocketOperationDeps, state: SocketState, work: () => Promise<T>): Promise<T> {
  try {
    return await deps.work.track(withDeadline(ANSWER_MS, work));
  } catch (error) {
    deps.report(error);
    state.extra.close(CLOSE.fault);
    throw error;
  }
}

/** Leaves room for spaces before the key, which are kept with it. */
const KEY_CHARACTERS = 256;

async function mayConnect(
  { newContext, checksKeys, withoutKey }: SocketOperationDeps,
  state: SocketState,
): Promise<boolean> {
  const peer = state.extra;
  const given = keyIn(peer.arriving) ?? peer.authorization;
  if (given !== undefined)
    peer.authorization = typeof given === 'string' && given.length <= KEY_CHARACTERS ? given : '';
  if (given === undefined || !checksKeys) {
    const giveBack = withoutKey.take(peer.ip);
    if (giveBack === null) peer.close(CLOSE.tooManyWithoutKey);
    else peer.onClose(giveBack);
    return giveBack !== null;
  }
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

function callerOf({ extra: { ip, foreignOrigin, authorization } }: SocketState) {
  return { ip, foreignOrigin, authorization };
}

interface PreparedOperation {
  readonly checked: CheckedOperation;
  readonly context: FeedContext;
}

async function prepare(
  deps: SocketOperationDeps,
  state: SocketState,
): Promise<PreparedOperation | readonly GraphQLError[]> {
  const { arriving } = state.extra;
  if (arriving?.type !== MessageType.Subscribe) throw new Error('No message that subscribes is arriving');
  const { payload } = arriving;
  const max = FEED_LIMITS.subscriptionsPerSocket;
  if (Object.keys(state.subscriptions).length > max) {
    return [new GraphQLError(`Too many operations on this socket (limit ${max}); complete one first.`)];
  }
  const context = deps.newContext({ ...callerOf(state), alreadyCounted: false });
  if (asksForSchema(payload.query)) {
    const refusal = await refusalOf(context.admit('introspection', 'introspection'));
    if (refusal !== null) return [refusal];
  }
  const checked = deps.check(payload);
  if (!('operation' in checked)) return checked;
  const refusal = await refusalOf(checked.pay(context));
  return refusal === null ? { checked, context } : [refusal];
}

async function refusalOf(admitted: Promise<void>): Promise<GraphQLError | null> {
  try {
    await admitted;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return new GraphQLError(error.message, { originalError: error });
    throw error;
  }
}

/** graphql-ws reads the operation's type from these. */
const STAND_INS = {
  [OperationTypeNode.QUERY]: parse('query { any }'),
  [OperationTypeNode.MUTATION]: parse('mutation { any }'),
  [OperationTypeNode.SUBSCRIPTION]: parse('subscription { any }'),
};

/** Stand-ins for operations: graphql-ws keeps its arguments, a parsed document for each subscriber, while a subscription lasts. */
function openPlaceholders(schema: GraphQLSchema) {
  const all = new WeakMap<ExecutionArgs, PreparedOperation>();
  return {
    give(prepared: PreparedOperation): ExecutionArgs {
      const document = STAND_INS[prepared.checked.operation.type];
      const placeholder = { schema, document, contextValue: undefined };
      all.set(placeholder, prepared);
      return placeholder;
    },
    take(placeholder: ExecutionArgs): PreparedOperation {
      const prepared = all.get(placeholder);
      if (prepared === undefined) throw new Error('Nothing was prepared for this operation');
      all.delete(placeholder);
      return prepared;
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
