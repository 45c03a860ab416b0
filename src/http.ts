import { createServer, type Server } from 'node:http';

import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type Express, type Request } from 'express';
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';

import { frontPage } from './front-page.ts';
import { callersError } from './graphql-errors.ts';
import { type Context, makeContext, type Services } from './resolvers/context.ts';
import { ENDPOINTS } from './rest/endpoints.ts';
import { restRouter } from './rest/router.ts';

export interface HttpNeeds {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  readonly trustProxy: boolean | number | string;
  readonly report: (error: unknown) => void;
}

export interface Http {
  readonly server: Server;
  close(): Promise<void>;
}

/** The doors: GraphQL, REST and the front page on one HTTP server, not listening yet. */
export async function openHttp(needs: HttpNeeds): Promise<Http> {
  const app = express().disable('x-powered-by').set('trust proxy', needs.trustProxy).set('query parser', 'simple');
  const server = createServer(app);
  const apollo = await openApollo(needs);
  app.use('/graphql', express.json({ limit: '256kb' }), graphqlMiddleware(apollo, needs));
  app.get('/', frontPage);
  app.use(
    restRouter(ENDPOINTS, {
      schema: needs.schema,
      newContext: (request) => contextOf(needs.services, request, true),
      report: needs.report,
    }),
  );
  return {
    server,
    async close() {
      await closeServer(server);
      await apollo.stop();
    },
  };
}

async function openApollo({ schema, report }: HttpNeeds): Promise<ApolloServer<Context>> {
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    plugins: [ApolloServerPluginLandingPageDisabled()],
    formatError: (formatted, error) => formattedError(formatted, error, report),
  });
  await apollo.start();
  return apollo;
}

/** The domain's code and sentence; internal causes are reported and never told. */
function formattedError(formatted: GraphQLFormattedError, error: unknown, report: (error: unknown) => void) {
  const told = callersError(error instanceof GraphQLError ? error : new GraphQLError(formatted.message));
  if (told.code === 'INTERNAL') report(told.cause);
  const { locations, path } = formatted;
  return {
    message: told.message,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: { code: told.code, ...(told.retryAfter === undefined ? {} : { retryAfter: told.retryAfter }) },
  };
}

function graphqlMiddleware(
  apollo: ApolloServer<Context>,
  { services }: HttpNeeds,
): ReturnType<typeof expressMiddleware> {
  return expressMiddleware(apollo, { context: async ({ req }) => contextOf(services, req, false) });
}

function contextOf(services: Services, request: Request, prepaid: boolean): Context {
  return makeContext(services, { ip: request.ip ?? '', authorization: request.get('authorization'), prepaid });
}

/** Takes no new requests, lets those under way finish, and closes idle connections at once. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) =>
      error && 'code' in error && error.code !== 'ERR_SERVER_NOT_RUNNING' ? reject(error) : resolve(),
    );
    server.closeIdleConnections();
  });
}

export type { Express };
