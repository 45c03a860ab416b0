import type { Server } from 'node:http';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Limiter, Relay } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import { costBudgets, countShares, INTERVALS, type Intervals, messageBudget } from '../feed/bounds.ts';
import { eventStreams } from '../feed/sse.ts';
import type { LogFollower } from '../feed/log-follower.ts';
import { type EntryCount, openHub } from '../feed/hub.ts';
import { type SocketOperationDeps, socketOperations } from '../feed/graphql-ws.ts';
import { remoteCallHandler } from '../feed/remote-calls.ts';
import type { DocumentTransport } from '../graphql/document-transport.ts';
import { ANSWER_MS, FEED_LIMITS } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import { pendingWork } from '../in-flight.ts';
import { openSocketServer, type SocketServerDeps } from '../feed/socket-server.ts';
import { entriesNow } from '../reads/rounds.ts';
import { jsonBy } from '../reads/plan/read-column.ts';
import type { StreamRoute } from '../rest/endpoint.ts';
import { contexts, type Services } from '../resolvers/context.ts';
import { OWN_FIELDS } from '../resolvers/agents.ts';
import { sealedOwnFields } from '../resolvers/sealed-picks.ts';

export interface LiveDeps
  extends
    Pick<SocketServerDeps, 'callerOf'>,
    Pick<
      SocketOperationDeps,
      'schema' | 'checksKeys' | 'ownFields' | 'newContext' | 'newExecutionContext' | 'elsewhere'
    > {
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly documents: DocumentTransport;
  readonly feed: LogFollower;
  readonly countEntries: () => Promise<EntryCount | null>;
  readonly intervals?: Partial<Intervals> | undefined;
  readonly connectionsPerAddress?: number | undefined;
  readonly report: (error: unknown) => void;
}

/** Sockets and event streams. */
export function openLive(server: Server, deps: LiveDeps) {
  const { feed, clock, limiter, countEntries, documents, report } = deps;
  const connections = countShares(deps.connectionsPerAddress ?? FEED_LIMITS.connectionsPerAddress);
  const work = pendingWork();
  const intervals = { ...INTERVALS, ...deps.intervals };
  const spend = costBudgets(limiter);
  const kept = countShares(FEED_LIMITS.keptBytesPerAddress);
  const hub = openHub({ log: feed, clock, intervals, countEntries, spend, kept, work, report });
  const streams = eventStreams({ log: feed, clock, connections, intervals });
  const sockets = openSocketServer(server, {
    connections,
    intervals,
    admitMessage: messageBudget(limiter),
    callerOf: deps.callerOf,
    options: socketOperations({
      ...deps,
      hub,
      check: documents.check,
      withoutKey: countShares(FEED_LIMITS.socketsWithoutKeyPerAddress),
      formatErrors: (errors) => errors.map(documents.format),
      work,
    }),
    report,
  });
  return {
    eventStream: { path: '/api/events', limit: 'currentRound', answer: streams.answer } satisfies StreamRoute,
    subscribers: () => ({ websocket: sockets.count(), events: streams.count() }),
    async close(): Promise<void> {
      streams.close();
      await sockets.close();
      hub.stop();
      await work.settled();
    },
  };
}

export interface ExecutingDeps {
  readonly services: Services;
  /** Executions of subscriptions must not take other readers' connections. */
  readonly newFeedEm: () => SqlEntityManager;
  readonly documents: DocumentTransport;
  readonly feed: Pick<LogFollower, 'logEnd'>;
  readonly relay: Relay | null;
}

/** Executes the subscriptions of a process with a database, and until `stop` those of processes without one. */
export function openSubscriptions({ services, newFeedEm: newEm, documents, feed, relay }: ExecutingDeps) {
  const newContext = contexts(services);
  const newExecutionContext = contexts({
    ...services,
    newEm,
    read: (task) => task(newEm()),
    readJson: jsonBy(newEm),
    limiter: NO_LIMITS,
  });
  const countEntries = () => withDeadline(ANSWER_MS, () => entriesNow(newEm()));
  const ownFields = new Set([...OWN_FIELDS, ...sealedOwnFields(services.picks)]);
  const stop = relay?.handleCalls(
    remoteCallHandler({
      ownFields,
      check: documents.check,
      formatErrors: (errors) => errors.map(documents.format),
      newContext: () => newExecutionContext(NOBODY),
      end: feed.logEnd,
      countEntries,
    }),
  );
  return {
    live: {
      checksKeys: true,
      ownFields,
      newContext: (caller) => newContext({ ...caller, overSocket: true }),
      newExecutionContext: (caller) => newExecutionContext({ ...caller, overSocket: true }),
      countEntries,
    } satisfies Partial<LiveDeps>,
    stop: async () => stop?.(),
  };
}

const NO_LIMITS: Limiter = { count: async () => null, peek: async () => null };
const NOBODY = { ip: '', alreadyCounted: true, authorization: undefined, foreignOrigin: undefined, overSocket: true };
