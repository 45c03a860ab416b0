import type { IncomingMessage } from 'node:http';

import type { Express } from 'express';
import type { GraphQLSchema } from 'graphql';

import { admission } from '../graphql/admission.ts';
import { openApollo } from '../graphql/apollo.ts';
import { costMeter } from '../graphql/cost.ts';
import { documentTransport } from '../graphql/document-transport.ts';
import { errorFormatter } from '../graphql/errors.ts';
import { graphqlRoutes, PATH } from '../graphql/http-routes.ts';
import { quickDocuments } from '../graphql/quick-documents.ts';
import { knownDocuments } from '../graphql/known-documents.ts';
import { schemaAnswers } from '../graphql/schema-answers.ts';
import type { Counted } from '../http/quick-exchange.ts';
import type { KeptAnswers } from '../http/kept-answers.ts';
import { publicHeaders } from '../http/origins.ts';
import type { RequestWatch } from '../http/request-watch.ts';
import type { QuickListener } from '../http/server.ts';
import { QUERY_LIMITS } from '../limits.ts';
import type { Context } from '../resolvers/context.ts';
import type { LiveDeps } from './open-live.ts';

interface GraphqlDeps {
  readonly schema: GraphQLSchema;
  readonly newContext: (request: IncomingMessage, alreadyCounted: boolean) => Context;
  readonly counted: Counted;
  readonly kept: KeptAnswers;
  readonly watch: RequestWatch;
  readonly report: (error: unknown) => void;
}

/** GraphQL as it is served. */
interface ServedGraphql {
  /** Answers what it can before Express sees the request. */
  readonly quick: QuickListener;
  readonly routes: Express;
  /** What the socket needs to check and execute documents as these do. */
  readonly transport: Pick<LiveDeps, 'check' | 'pay' | 'execute' | 'costOf' | 'format'>;
  stop(): Promise<void>;
}

/** One set of known documents, budgets and errors for all ways that a document may come. */
export async function openGraphql({ schema, newContext, report, ...deps }: GraphqlDeps): Promise<ServedGraphql> {
  const meter = costMeter(schema);
  const documents = knownDocuments(schema, meter);
  const apollo = await openApollo({ schema, documents, report });
  const format = errorFormatter(report);
  const admit = admission((request) => newContext(request, false), schemaAnswers(schema));
  return {
    quick: quickDocuments({
      ...deps,
      path: PATH,
      documents,
      format,
      admission: admit,
      newContext,
      headers: publicHeaders(),
    }),
    routes: graphqlRoutes({ apollo, documents, admit, format }),
    transport: {
      ...documentTransport(documents, meter),
      costOf: (asked) => meter(asked)?.used ?? QUERY_LIMITS.cost,
      format,
    },
    stop: () => apollo.stop(),
  };
}
