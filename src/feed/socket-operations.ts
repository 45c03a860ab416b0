import {
  type DocumentNode,
  execute,
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import type { Context as SocketState, SubscribePayload } from 'graphql-ws';

import { ANSWER_MS, FEED_LIMITS, type LimitName, ROOT_FIELD_LIMITS } from '../limits.ts';
import { within } from '../patience.ts';
import { isFault, reportOnce } from './faults.ts';
import type { Hub } from './hub.ts';
import { sharedOperation } from './operation.ts';
import { CLOSE, type Peer } from './peer.ts';
import { type Pushed, pushed } from './pushed.ts';
import { frameHead, type Sink } from './sink.ts';
import type { UnderWay } from '../under-way.ts';
import type { PeerOptions } from './web-socket.ts';

/** What the feed needs of a request's context; the rest is between the schema and its resolvers. */
export interface FeedContext {
  viewer(): Promise<object | null>;
  admit(limit: LimitName): Promise<void>;
}

/** Who asks. Executions of a `prepaid` context spend no budget. */
export interface FeedCaller {
  readonly ip: string;
  readonly authorization: string | undefined;
  readonly prepaid: boolean;
}

export interface SocketOperationNeeds {
  readonly schema: GraphQLSchema;
  readonly hub: Hub;
  /** The checks that a document passes over HTTP too: answers it parsed, or what is wrong with it. */
  readonly check: (payload: SubscribePayload) => DocumentNode | readonly GraphQLError[];
  /** `Type.field` of all that its owner alone may see. */
  readonly ownFields: ReadonlySet<string>;
  readonly newContext: (caller: FeedCaller) => FeedContext;
  readonly formatErrors: (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[];
  readonly work: UnderWay;
  readonly report: (error: unknown) => void;
}

type State = SocketState<Record<string, unknown>, Peer>;

const LIMITS_OF_FIELDS = new Map<string, LimitName>(Object.entries(ROOT_FIELD_LIMITS));

/** How operations run on a socket: queries and mutations one by one, subscriptions through the hub. */
export function socketOperations(given: SocketOperationNeeds): PeerOptions {
  const needs = { ...given, report: reportOnce(given.report) };
  return {
    schema: needs.schema,
    onConnect: (state) => orClose(needs, state, () => mayConnect(needs, state)),
    onSubscribe: (state, _id, payload) => orClose(needs, state, async () => prepare(needs, state, payload)),
    execute: (args) => needs.work.track(within(ANSWER_MS, async () => execute(args))),
    // Subscriptions begin in onOperation, which knows the socket and the operation's id.
    subscribe: () => ({ data: null }),
    onOperation: (state, id, _payload, args) => (isSubscription(args) ? follow(needs, state, { id, args }) : undefined),
    onNext: (_state, _id, _payload, _args, { data, errors }) => ({
      ...(data === undefined ? {} : { data }),
      ...(errors ? { errors: needs.formatErrors(errors) } : {}),
    }),
    onError: (_state, _id, _payload, errors) => needs.formatErrors(errors),
  };
}

/** A fault of ours closes the socket with a code that tells clients to come back. */
async function orClose<T>(needs: SocketOperationNeeds, state: State, work: () => Promise<T>): Promise<T> {
  try {
    return await needs.work.track(within(ANSWER_MS, work));
  } catch (error) {
    needs.report(error);
    state.extra.close(CLOSE.fault);
    throw error;
  }
}

/** A key is optional, but one that is given must hold. */
async function mayConnect({ newContext }: SocketOperationNeeds, state: State): Promise<boolean> {
  if (state.connectionParams?.['authorization'] === undefined) return true;
  const viewer = await newContext({ ...callerOf(state), prepaid: true }).viewer();
  return viewer !== null;
}

/** The key in the payload of `connection_init`, as a header would carry it. */
function authorizationOf({ connectionParams }: State): string | undefined {
  const authorization = connectionParams?.['authorization'];
  return typeof authorization === 'string' ? authorization : undefined;
}

function callerOf(state: State) {
  return { ip: state.extra.ip, authorization: authorizationOf(state) };
}

function prepare(
  needs: SocketOperationNeeds,
  state: State,
  payload: SubscribePayload,
): ExecutionArgs | readonly GraphQLError[] {
  const most = FEED_LIMITS.subscriptionsPerSocket;
  if (Object.keys(state.subscriptions).length > most) {
    return [new GraphQLError(`This socket carries ${most} operations already, which is the most; end one first.`)];
  }
  const document = needs.check(payload);
  if (!('kind' in document)) return document;
  return {
    schema: needs.schema,
    document,
    operationName: payload.operationName ?? null,
    variableValues: payload.variables ?? {},
    contextValue: needs.newContext({ ...callerOf(state), prepaid: false }),
  };
}

function isSubscription({ document, operationName }: ExecutionArgs): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
}

/**
 * Joins the hub. Results go to the socket directly, as frames that are shared with all who get the same; what is
 * answered to the protocol only ends. A subscription spends the budget of its field once, when it begins.
 */
async function follow(
  needs: SocketOperationNeeds,
  state: State,
  { id, args }: { id: string; args: ExecutionArgs },
): Promise<Pushed> {
  const peer = state.extra;
  let end: (() => void) | null = null;
  const iteration = pushed(() => end?.());
  const fail = (error: Error): void => {
    end?.();
    if (!isFault(error)) {
      iteration.fail(error);
      return;
    }
    needs.report(error);
    peer.close(CLOSE.fault);
  };
  try {
    const operation = operationOf(needs, state, args);
    const limit = LIMITS_OF_FIELDS.get(operation.field);
    if (limit !== undefined) {
      const context = needs.newContext({ ...callerOf(state), prepaid: false });
      await needs.work.track(within(ANSWER_MS, () => context.admit(limit)));
    }
    end = peer.begin(id, needs.hub.subscribe(socketSink(peer, id, fail), operation));
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)));
  }
  return iteration;
}

function operationOf(
  needs: SocketOperationNeeds,
  state: State,
  { document, operationName, variableValues }: ExecutionArgs,
) {
  const { ip, authorization } = callerOf(state);
  return sharedOperation(
    {
      ...needs,
      newContext: (viewer) => needs.newContext({ ip, authorization: viewer ?? undefined, prepaid: true }),
    },
    { document, operationName, variables: variableValues, authorization: authorization ?? null },
  );
}

/** The end of one operation on a socket. */
function socketSink(peer: Peer, id: string, fail: (error: Error) => void): Sink {
  const head = frameHead(id);
  return {
    send: (payload) => peer.send(payload.frame(head)),
    ready: () => peer.calm(),
    fail,
  };
}
