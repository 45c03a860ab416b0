import type { IncomingMessage, Server } from 'node:http';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import express, { type Express } from 'express';
import type { GraphQLSchema } from 'graphql';
import proxyAddress from 'proxy-addr';

import type { Bus } from '../backplane/backplane.ts';
import type { Read } from '../database/reads.ts';
import type { LogFollower } from '../feed/event-log.ts';
import { countConnections, type Intervals } from '../feed/bounds.ts';
import { CONNECTIONS_PER_ADDRESS } from '../limits.ts';
import type { Services } from '../resolvers/context.ts';
import { asksForWebSocket } from '../feed/socket-server.ts';
import { noSuchPath, sendErrors } from '../http/errors.ts';
import { type OperatingDeps, type OperatorRoutes, operatorRoutes } from '../operating/operator-routes.ts';
import { closeServer, openServer, type ServerTimeouts } from '../http/server.ts';
import type { Handler } from '../http/exchange.ts';
import type { CacheBounds } from '../http/answer-cache.ts';
import { mountRoutes } from './mount-routes.ts';
import { type Answers, openAnswers } from './open-answers.ts';
import { openCallers } from './open-callers.ts';
import { type Live, openLive } from './open-live.ts';

/** What the settings say of HTTP, and bounds that are not the usual. */
export interface HttpSettings {
  readonly trustProxy: boolean | number | string;
  /** Origins beside the service's own whose pages may create and change. */
  readonly corsOrigins: readonly string[];
  /** How long callers are waited for. */
  readonly timeouts?: Partial<ServerTimeouts> | undefined;
  /** Bounds of exports. */
  readonly exporting?: { readonly longestMs?: number } | undefined;
  /** How many answers are kept ready and for how long. */
  readonly keeping?: Partial<CacheBounds> | undefined;
  readonly intervals?: Partial<Intervals> | undefined;
  readonly connectionsPerAddress?: number | undefined;
}

export interface OperatorHttpDeps {
  readonly operating: OperatingDeps;
  readonly settings: Pick<HttpSettings, 'trustProxy' | 'timeouts'>;
}

export interface HttpDeps extends OperatorHttpDeps {
  readonly settings: HttpSettings;
  readonly schema: GraphQLSchema;
  readonly services: Services;
  /** For the pages of exports, whose statements may take longer than others'. */
  readonly readExports: Read;
  /** How many pages are read at a time. */
  readonly exportsAtOnce: number;
  /** For executions of subscriptions. */
  readonly newFeedEm: () => SqlEntityManager;
  readonly feed: LogFollower;
  readonly bus: Bus;
}

export interface Http {
  readonly server: Server;
  close(): Promise<void>;
}

/** All endpoints on one HTTP server, not listening yet. */
export async function openHttp(deps: HttpDeps): Promise<Http> {
  const { schema, services, feed, bus } = deps;
  const { trustProxy, corsOrigins, timeouts, exporting, keeping, intervals, connectionsPerAddress } = deps.settings;
  const operator = operatorRoutes(deps.operating, () => live.subscribers());
  const { watch, report } = operator;
  const { app, isProxy, ipOf, etagOf } = openExpress(trustProxy, operator);
  const callers = openCallers({ services, corsOrigins, isProxy, ipOf });
  const answers = await openAnswers({ schema, services, callers, feed, bus, watch, etagOf, keeping, report });
  const server = openServerFor(app, { handler: answers.handler, isProxy, operator, timeouts });
  const live = openLive(server, {
    schema,
    services,
    documents: answers.documents,
    callerOf: callers.onSocket,
    feed,
    newFeedEm: deps.newFeedEm,
    intervals,
    connectionsPerAddress,
    report,
  });
  mountRoutes(app, {
    schema,
    settings: services,
    answers,
    callers,
    isProxy,
    eventStream: live.eventStream,
    readExports: deps.readExports,
    exportsAtOnce: deps.exportsAtOnce,
    longestExportMs: exporting?.longestMs,
    report,
  });
  return { server, close: () => closeHttp(server, { operator, live, answers }) };
}

interface HttpParts {
  readonly operator: OperatorRoutes;
  readonly live: Live;
  readonly answers: Answers;
}

async function closeHttp(server: Server, { operator, live, answers }: HttpParts): Promise<void> {
  const closed = closeServer(server, operator.markNotReady);
  await closed.begun;
  await live.close();
  await closed.ended;
  await answers.stop();
}

/** The operators' endpoints alone, of a process that serves nobody else. */
export function openOperatorHttp({ operating, settings }: OperatorHttpDeps): Http {
  const { trustProxy, timeouts } = settings;
  const operator = operatorRoutes(operating);
  const { app, isProxy } = openExpress(trustProxy, operator);
  const server = openServerFor(app, { isProxy, operator, timeouts });
  app.use(noSuchPath);
  app.use(sendErrors(operator.report));
  return { server, close: () => closeServer(server, operator.markNotReady).ended };
}

/** Express with what watches every request and the operators' endpoints; the others follow. */
function openExpress(trustProxy: HttpSettings['trustProxy'], operator: OperatorRoutes) {
  const app = express().disable('x-powered-by').set('trust proxy', trustProxy).set('query parser', 'simple');
  app.use(...operator.routes);
  const trust: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  const isProxy = (address: string): boolean => trust(address, 0);
  // Reading the forwarded addresses is left out where nobody would believe them.
  const ipOf = (request: IncomingMessage): string => {
    const peer = request.socket.remoteAddress ?? '';
    return isProxy(peer) ? proxyAddress(request, trust) : peer;
  };
  return { app, isProxy, ipOf, etagOf: app.get('etag fn') };
}

interface ServerParts extends Pick<HttpSettings, 'timeouts'> {
  readonly handler?: Handler;
  readonly isProxy: (address: string) => boolean;
  readonly operator: OperatorRoutes;
}

function openServerFor(app: Express, { handler, isProxy, operator, timeouts }: ServerParts): Server {
  return openServer({
    handler,
    listener: app,
    isProxy,
    timeouts,
    connections: countConnections(CONNECTIONS_PER_ADDRESS),
    upgrades: asksForWebSocket,
    onUnreadable: operator.onUnreadable,
  });
}
