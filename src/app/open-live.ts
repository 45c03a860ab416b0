import type { Server } from 'node:http';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { GraphQLSchema } from 'graphql';

import type { Limiter } from '../backplane/backplane.ts';
import { costBudgets, countShares, INTERVALS, type Intervals, messageBudget } from '../feed/bounds.ts';
import { eventStreams } from '../feed/sse.ts';
import type { LogFollower } from '../feed/event-log.ts';
import { type Hub, openHub } from '../feed/hub.ts';
import { socketOperations } from '../feed/graphql-ws.ts';
import type { DocumentTransport } from '../graphql/document-transport.ts';
import { ANSWER_MS, FEED_LIMITS } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import { type PendingWork, pendingWork } from '../in-flight.ts';
import { openSocketServer, type SocketServerDeps } from '../feed/socket-server.ts';
import { entriesNow } from '../reads/rounds.ts';
import { jsonBy } from '../reads/plan/read-column.ts';
import type { StreamRoute } from '../rest/endpoint.ts';
import { contexts, type Services } from '../resolvers/context.ts';
import { OWN_FIELDS } from '../resolvers/agents.ts';
import { sealedOwnFields } from '../resolvers/sealed-picks.ts';

export interface LiveDeps {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  readonly documents: DocumentTransport;
  readonly callerOf: SocketServerDeps['callerOf'];
  readonly feed: LogFollower;
  /** Executions of subscriptions must not take other readers' connections. */
  readonly newFeedEm: () => SqlEntityManager;
  readonly intervals?: Partial<Intervals> | undefined;
  readonly connectionsPerAddress?: number | undefined;
  readonly report: (error: unknown) => void;
}

const NO_LIMITS: Limiter = { count: async () => null, peek: async () => null };

export function openLive(server: Server, deps: LiveDeps) {
  const { services, feed, report } = deps;
  const { clock } = services;
  const connections = countShares(deps.connectionsPerAddress ?? FEED_LIMITS.connectionsPerAddress);
  const work = pendingWork();
  const intervals = { ...INTERVALS, ...deps.intervals };
  const hub = openHub({
    log: feed,
    clock,
    intervals,
    countEntries: () => withDeadline(ANSWER_MS, () => entriesNow(deps.newFeedEm())),
    spend: costBudgets(services.limiter),
    kept: countShares(FEED_LIMITS.keptBytesPerAddress),
    work,
    report,
  });
  const streams = eventStreams({ log: feed, clock, connections, intervals });
  const sockets = openSocketServer(server, {
    connections,
    intervals,
    admitMessage: messageBudget(services.limiter),
    callerOf: deps.callerOf,
    options: operationOptions(deps, hub, work),
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

function operationOptions(deps: LiveDeps, hub: Hub, work: PendingWork) {
  const { services, newFeedEm: newEm } = deps;
  const { check, format } = deps.documents;
  const executing: Services = {
    ...services,
    newEm,
    read: (task) => task(newEm()),
    readJson: jsonBy(newEm),
    limiter: NO_LIMITS,
  };
  const newContext = contexts(services);
  const newExecutionContext = contexts(executing);
  return socketOperations({
    schema: deps.schema,
    hub,
    check,
    withoutKey: countShares(FEED_LIMITS.socketsWithoutKeyPerAddress),
    ownFields: new Set([...OWN_FIELDS, ...sealedOwnFields(services.picks)]),
    newContext: (caller) => newContext({ ...caller, overSocket: true }),
    newExecutionContext: (caller) => newExecutionContext({ ...caller, overSocket: true }),
    formatErrors: (errors) => errors.map(format),
    work,
    report: deps.report,
  });
}
