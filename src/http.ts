import { createServer, type Server } from 'node:http';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import express, { type Express, type Request } from 'express';
import type { GraphQLSchema } from 'graphql';

import { exportRoutes } from './export/export-routes.ts';
import { rowReader } from './export/row-stream.ts';
import type { Feed } from './feed/feed.ts';
import type { Intervals } from './feed/intervals.ts';
import { asksForWebSocket } from './feed/web-socket.ts';
import { frontPage } from './front-page.ts';
import { openApollo } from './graphql/apollo.ts';
import { errorFormatter } from './graphql/formatted-error.ts';
import { documentCheck } from './graphql/document-check.ts';
import { graphqlRoutes } from './graphql/http-routes.ts';
import { type Context, makeContext, type Services } from './resolvers/context.ts';
import { openLive } from './live.ts';
import { ENDPOINTS } from './rest/endpoints.ts';
import { restRouter } from './rest/router.ts';
import { SECOND } from './rules/hours.ts';
import { answerUnreadable } from './unreadable-requests.ts';

const LONGEST_FAREWELL_MS = 5 * SECOND;

export interface HttpNeeds {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  /** For statements that may take as long as a client reads. */
  readonly newExportEm: () => SqlEntityManager;
  readonly feed: Feed;
  readonly trustProxy: boolean | number | string;
  readonly intervals?: Partial<Intervals> | undefined;
  readonly connectionsPerAddress?: number | undefined;
  readonly report: (error: unknown) => void;
}

export interface Http {
  readonly server: Server;
  close(): Promise<void>;
}

/** The doors: GraphQL, REST and the front page on one HTTP server, not listening yet. */
export async function openHttp(needs: HttpNeeds): Promise<Http> {
  const app = express().disable('x-powered-by').set('trust proxy', needs.trustProxy).set('query parser', 'simple');
  const server = createServer({ shouldUpgradeCallback: asksForWebSocket }, app);
  answerUnreadable(server);
  closeConnectionsWhenClosing(server);
  const apollo = await openApollo(needs);
  const format = errorFormatter(needs.report);
  const live = openLive({ ...needs, app, server, check: documentCheck(needs.schema), format });
  app.use(
    graphqlRoutes({
      apollo,
      format,
      newContext: (request) => contextOf(needs.services, request, false),
    }),
  );
  app.get('/', frontPage);
  app.use(
    restRouter(ENDPOINTS, {
      schema: needs.schema,
      streams: [live.eventStream, ...exportRoutes({ read: rowReader(needs.newExportEm), report: needs.report })],
      newContext: (request) => contextOf(needs.services, request, true),
      report: needs.report,
    }),
  );
  return {
    server,
    async close() {
      const closed = closeServer(server);
      await live.close();
      await closed;
      await apollo.stop();
    },
  };
}

function contextOf(services: Services, request: Request, prepaid: boolean): Context {
  return makeContext(services, { ip: request.ip ?? '', authorization: request.get('authorization'), prepaid });
}

/** A caller that never stops asking on one connection would hold the stop up for ever. */
function closeConnectionsWhenClosing(server: Server): void {
  server.on('request', (request, response) => {
    response.once('close', () => {
      if (!server.listening) request.socket.end();
    });
  });
}

/**
 * Takes no new requests, lets those under way finish, and closes idle connections at once. Who has not sent the whole
 * request, or not taken the whole answer, within a few seconds is cut off.
 */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) =>
      error && 'code' in error && error.code !== 'ERR_SERVER_NOT_RUNNING' ? reject(error) : resolve(),
    );
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), LONGEST_FAREWELL_MS).unref();
  });
}

export type { Express };
