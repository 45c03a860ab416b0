import type { IncomingMessage, Server } from 'node:http';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import express, { type Express } from 'express';
import type { GraphQLSchema } from 'graphql';
import proxyAddress from 'proxy-addr';

import type { Bus } from '../backplane/backplane.ts';
import type { Read } from '../database/reads.ts';
import { exportRoutes } from '../export/export-routes.ts';
import { rowReader } from '../export/row-stream.ts';
import type { LogFollower } from '../feed/event-log.ts';
import { countConnections, type Intervals } from '../feed/bounds.ts';
import { pageRoutes } from '../pages/page-routes.ts';
import { PATH } from '../graphql/handler.ts';
import { ideRoutes } from '../graphql/ide.ts';
import { guideRoutes } from '../pages/guides/guide-routes.ts';
import { CONNECTIONS_PER_ADDRESS } from '../limits.ts';
import { type Context, contexts, type Services } from '../resolvers/context.ts';
import { openGraphql } from './open-graphql.ts';
import { openLive } from './open-live.ts';
import { asksForWebSocket } from '../feed/socket-server.ts';
import { type ForeignOrigin, foreignOrigins, isForwarded, openToAllOrigins, publicHeaders } from '../http/origins.ts';
import { noSuchPath, sendErrors } from '../http/errors.ts';
import { type OperatingDeps, type OperatorRoutes, operatorRoutes } from '../operating/operator-routes.ts';
import { closeServer, openServer, type ServerOptions, type ServerTimeouts } from '../http/server.ts';
import { type Handler, openRespond } from '../http/exchange.ts';
import { answerVersions, openAnswerCache, type CacheBounds } from '../http/answer-cache.ts';
import { mcpRoutes } from '../mcp/mcp-routes.ts';
import { compileTable } from '../rest/compile.ts';
import { ENDPOINTS } from '../rest/endpoints.ts';
import { restHandler } from '../rest/handler.ts';
import { streamRouter } from '../rest/streams.ts';

export interface OperatorHttpDeps {
  readonly operating: OperatingDeps;
  readonly trustProxy: boolean | number | string;
  /** How long callers are waited for, where that is not the usual. */
  readonly timeouts?: Partial<ServerTimeouts> | undefined;
}

export interface HttpDeps extends OperatorHttpDeps {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  /** Origins beside the service's own whose pages may create and change. */
  readonly corsOrigins: readonly string[];
  /** For the pages of exports, whose statements may take longer than others'. */
  readonly readExports: Read;
  /** For executions of subscriptions. */
  readonly newFeedEm: () => SqlEntityManager;
  /** Bounds of exports, where they are not the usual. */
  readonly exporting?: { readonly longestMs?: number } | undefined;
  readonly feed: LogFollower;
  readonly bus: Bus;
  /** How many answers are kept ready and for how long, where that is not the usual. */
  readonly keeping?: Partial<CacheBounds> | undefined;
  readonly intervals?: Partial<Intervals> | undefined;
  readonly connectionsPerAddress?: number | undefined;
  readonly report: (error: unknown) => void;
}

export interface Http {
  readonly server: Server;
  close(): Promise<void>;
}

/** All endpoints on one HTTP server, not listening yet. */
export async function openHttp(deps: HttpDeps): Promise<Http> {
  const operator = operatorRoutes(deps.operating, () => live.subscribers());
  const { app, isProxy, ipOf } = openExpress(deps, operator);
  const foreignOrigin = foreignOrigins({ allowed: deps.corsOrigins, isProxy });
  const newContext = contextsOfCallers(deps.services, { foreignOrigin, ipOf });
  const etagOf = app.get('etag fn');
  const versions = answerVersions({ ...deps, ...deps.services });
  const cache = openAnswerCache({ versions, etagOf, bounds: deps.keeping });
  const table = compileTable(ENDPOINTS, deps.schema);
  const answering = {
    ...deps,
    cache,
    respond: openRespond({ watch: operator.watch, headers: publicHeaders(), etagOf }),
  };
  const rest = restHandler(table, { ...answering, newContext: newContext.counted });
  const graphql = await openGraphql({ ...answering, newContext: newContext.uncounted });
  const handler: Handler = (exchange) => rest(exchange) ?? graphql.handler(exchange);
  const server = openServerFor(deps, operator, { app, isProxy, handler });
  const live = openLive({ ...deps, ...graphql.transport, app, server, foreignOrigin });
  app.use(openToAllOrigins(), ideRoutes(PATH));
  app.use(pageRoutes({ ...deps, newContext: newContext.uncounted }));
  app.use(guideRoutes({ ...deps, table, version: deps.services.version }));
  app.use(
    mcpRoutes({
      ...deps,
      table,
      version: deps.services.version,
      documents: graphql.transport,
      callerOf: (request) => ({
        forEndpoint: () => newContext.counted(request),
        forDocument: () => newContext.uncounted(request),
      }),
      foreignOrigin,
      isProxy,
    }),
  );
  const exports = exportRoutes({
    ...deps.exporting,
    ...deps,
    picks: deps.services.picks,
    read: rowReader(deps.readExports),
  });
  const paths = new Set(ENDPOINTS.map(({ path }) => path));
  app.use(streamRouter([live.eventStream, ...exports], { ...deps, paths, newContext: newContext.counted }));
  return {
    server,
    async close() {
      const closed = closeServer(server, operator.markNotReady);
      await closed.begun;
      await live.close();
      await closed.ended;
      versions.stop();
      await graphql.stop();
    },
  };
}

interface CallersDeps {
  readonly foreignOrigin: ForeignOrigin;
  readonly ipOf: (request: IncomingMessage) => string;
}

/** Makes the contexts of requests: of those whose root fields count themselves, and of those that were counted before. */
function contextsOfCallers(services: Services, { foreignOrigin, ipOf }: CallersDeps) {
  const newContext = contexts(services);
  const contextOf = (request: IncomingMessage, alreadyCounted: boolean): Context =>
    newContext({
      ip: ipOf(request),
      isDirect: () => !isForwarded(request),
      authorization: request.headers.authorization,
      foreignOrigin: foreignOrigin(request),
      alreadyCounted,
    });
  return {
    counted: (request: IncomingMessage) => contextOf(request, true),
    uncounted: (request: IncomingMessage) => contextOf(request, false),
  };
}

/** The operators' endpoints alone, of a process that serves nobody else. */
export function openOperatorHttp(deps: OperatorHttpDeps): Http {
  const operator = operatorRoutes(deps.operating);
  const { app, isProxy } = openExpress(deps, operator);
  const server = openServerFor(deps, operator, { app, isProxy });
  app.use(noSuchPath);
  app.use(sendErrors(deps.operating.report));
  return { server, close: () => closeServer(server, operator.markNotReady).ended };
}

/** Express with what watches every request and the operators' endpoints; the others follow. */
function openExpress({ trustProxy }: OperatorHttpDeps, operator: OperatorRoutes) {
  const app = express().disable('x-powered-by').set('trust proxy', trustProxy).set('query parser', 'simple');
  app.use(...operator.first, operator.routes);
  const trust: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  const isProxy = (address: string): boolean => trust(address, 0);
  // Reading the forwarded addresses is left out where nobody would believe them.
  const ipOf = (request: IncomingMessage): string => {
    const peer = request.socket.remoteAddress ?? '';
    return isProxy(peer) ? proxyAddress(request, trust) : peer;
  };
  return { app, isProxy, ipOf };
}

function openServerFor(
  { timeouts }: OperatorHttpDeps,
  { onUnreadable }: OperatorRoutes,
  { app, ...options }: { app: Express } & Pick<ServerOptions, 'isProxy' | 'handler'>,
): Server {
  return openServer({
    ...options,
    listener: app,
    timeouts,
    connections: countConnections(CONNECTIONS_PER_ADDRESS),
    upgrades: asksForWebSocket,
    onUnreadable,
  });
}
