import type { IncomingMessage } from 'node:http';

import type { GraphQLSchema } from 'graphql';

import { openApollo } from '../graphql/apollo.ts';
import { costMeter } from '../graphql/cost.ts';
import { documentTransport } from '../graphql/document-transport.ts';
import { openDocuments } from '../graphql/documents.ts';
import { errorFormatter } from '../graphql/errors.ts';
import { graphqlHandler } from '../graphql/handler.ts';
import type { Handler, Respond } from '../http/exchange.ts';
import type { AnswerCache } from '../http/answer-cache.ts';
import { QUERY_LIMITS } from '../limits.ts';
import type { Context } from '../resolvers/context.ts';
import type { LiveDeps } from './open-live.ts';

interface GraphqlDeps {
  readonly schema: GraphQLSchema;
  readonly newContext: (request: IncomingMessage) => Context;
  readonly cache: AnswerCache;
  readonly respond: Respond;
  readonly report: (error: unknown) => void;
}

/** GraphQL as it is served. */
interface ServedGraphql {
  readonly handler: Handler;
  /** What the socket needs to check and execute documents as the handler does. */
  readonly transport: Pick<LiveDeps, 'check' | 'pay' | 'execute' | 'costOf' | 'format'>;
  stop(): Promise<void>;
}

/** One set of documents and errors for all ways that a document may come. */
export async function openGraphql({ schema, report, ...deps }: GraphqlDeps): Promise<ServedGraphql> {
  const meter = costMeter(schema);
  const documents = openDocuments(schema, meter);
  const format = errorFormatter(report);
  const apollo = await openApollo({ schema, documents, format, report });
  return {
    handler: graphqlHandler({ ...deps, apollo, documents, format }),
    transport: {
      ...documentTransport(schema, documents),
      costOf: (asked) => meter(asked)?.used ?? QUERY_LIMITS.cost,
      format,
    },
    stop: () => apollo.stop(),
  };
}
