import type { Server } from 'node:http';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import express, { type Express, type Request } from 'express';
import type { GraphQLSchema } from 'graphql';

import { exportRoutes } from './export/export-routes.ts';
import { rowReader } from './export/row-stream.ts';
import type { Feed } from './feed/feed.ts';
import type { Intervals } from './feed/intervals.ts';
import { frontPage } from './front-page.ts';
import { openApollo } from './graphql/apollo.ts';
import { errorFormatter } from './graphql/formatted-error.ts';
import { documentCheck } from './graphql/document-check.ts';
import { graphqlRoutes } from './graphql/http-routes.ts';
import { type Context, makeContext, type Services } from './resolvers/context.ts';
import { openLive } from './live.ts';
import { answerErrors, noSuchPath } from './operating/answers.ts';
import { type OperatingNeeds, type OperatorDoors, operatorDoors } from './operating/doors.ts';
import { openServer, type ServerPatience } from './operating/http-server.ts';
import { ENDPOINTS } from './rest/endpoints.ts';
import { restRouter } from './rest/router.ts';
import { SECOND } from './rules/hours.ts';

const LONGEST_FAREWELL_MS = 5 * SECOND;

export interface OperatorHttpNeeds {
  readonly operating: OperatingNeeds;
  readonly trustProxy: boolean | number | string;
  /** How long callers are waited for, where that is not the usual. */
  readonly patience?: Partial<ServerPatience> | undefined;
}

export interface HttpNeeds extends OperatorHttpNeeds {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  /** For statements that may take as long as a client reads. */
  readonly newExportEm: () => SqlEntityManager;
  readonly feed: Feed;
  readonly intervals?: Partial<Intervals> | undefined;
  readonly connectionsPerAddress?: number | undefined;
  readonly report: (error: unknown) => void;
}

export interface Http {
  readonly server: Server;
  close(): Promise<void>;
}

/** All doors on one HTTP server, not listening yet. */
export async function openHttp(needs: HttpNeeds): Promise<Http> {
  const doors = operatorDoors(needs.operating, () => live.subscribers());
  const { app, server } = openFrame(needs, doors);
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
      const closed = closeServer(server, doors);
      await closed.begun;
      await live.close();
      await closed.ended;
      await apollo.stop();
    },
  };
}

/** The operators' doors alone, of a process that serves nobody else. */
export function openOperatorDoors(needs: OperatorHttpNeeds): Http {
  const doors = operatorDoors(needs.operating);
  const { app, server } = openFrame(needs, doors);
  app.use(noSuchPath);
  app.use(answerErrors(needs.operating.report));
  return { server, close: () => closeServer(server, doors).ended };
}

/** A server whose requests are watched, with the operators' doors; the others follow. */
function openFrame({ trustProxy, patience }: OperatorHttpNeeds, doors: OperatorDoors) {
  const app = express().disable('x-powered-by').set('trust proxy', trustProxy).set('query parser', 'simple');
  app.use(...doors.watch, doors.routes);
  return { app, server: openServer({ listener: app, patience, onUnreadable: doors.onUnreadable }) };
}

function contextOf(services: Services, request: Request, prepaid: boolean): Context {
  return makeContext(services, { ip: request.ip ?? '', authorization: request.get('authorization'), prepaid });
}

/**
 * Says that the process is not ready, then takes no new requests, lets those under way finish, and closes idle
 * connections at once. Who has not sent the whole request, or not taken the whole answer, within a few seconds of the
 * beginning is cut off.
 */
function closeServer(server: Server, doors: OperatorDoors) {
  setTimeout(() => server.closeAllConnections(), LONGEST_FAREWELL_MS).unref();
  const ended = Promise.withResolvers<void>();
  const begin = async (): Promise<void> => {
    await doors.turnAway();
    server.close((error) =>
      error && 'code' in error && error.code !== 'ERR_SERVER_NOT_RUNNING' ? ended.reject(error) : ended.resolve(),
    );
    server.closeIdleConnections();
  };
  return { begun: begin(), ended: ended.promise };
}

export type { Express };
