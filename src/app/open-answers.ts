import type { GraphQLSchema } from 'graphql';

import type { Bus } from '../backplane/backplane.ts';
import type { LogFollower } from '../feed/log-follower.ts';
import { openApollo } from '../graphql/apollo.ts';
import { costMeter } from '../graphql/cost.ts';
import { documentChecks } from '../graphql/document-transport.ts';
import { openDocuments } from '../graphql/documents.ts';
import { errorFormatter } from '../graphql/errors.ts';
import { graphqlHandler } from '../graphql/handler.ts';
import { answerVersions, type CacheBounds, openAnswerCache } from '../http/answer-cache.ts';
import { type Exchange, openRespond } from '../http/exchange.ts';
import { PUBLIC_HEADERS } from '../http/origins.ts';
import type { RequestLog } from '../http/request-log.ts';
import { madeOnceFor } from '../in-flight.ts';
import type { Services } from '../resolvers/context.ts';
import { compileTable } from '../rest/compile.ts';
import { ENDPOINTS } from '../rest/endpoints.ts';
import { restHandler } from '../rest/handler.ts';
import type { Deprecation } from '../rules/deprecations.ts';
import type { Callers } from './open-callers.ts';

export interface AnswersDeps {
  readonly schema: GraphQLSchema;
  readonly services: Pick<Services, 'clock' | 'market'>;
  readonly callers: Pick<Callers, 'counted' | 'uncounted'>;
  readonly feed: Pick<LogFollower, 'onEvents'>;
  readonly bus: Bus;
  readonly requests: RequestLog;
  readonly etagOf: (body: string | Buffer, encoding?: 'utf8' | 'latin1') => string;
  readonly keeping?: Partial<CacheBounds> | undefined;
  /** Default: the table of the rules. */
  readonly deprecations?: readonly Deprecation[] | undefined;
  readonly report: (error: unknown) => void;
}

const tableOf = madeOnceFor((schema: GraphQLSchema) => compileTable(ENDPOINTS, schema));

export type Answers = Awaited<ReturnType<typeof openAnswers>>;

export async function openAnswers(deps: AnswersDeps) {
  const { schema, services, callers, feed, bus, etagOf, report } = deps;
  const versions = answerVersions({ bus, feed, clock: services.clock, market: services.market });
  const cache = openAnswerCache({ versions, etagOf, bounds: deps.keeping });
  const respond = openRespond({ requests: deps.requests, headers: PUBLIC_HEADERS, etagOf });
  const table = deps.deprecations ? compileTable(ENDPOINTS, schema, deps.deprecations) : tableOf(schema);
  const rest = restHandler(table, { newContext: callers.counted, cache, respond, report });
  const documents = openDocuments(schema, costMeter(schema));
  const format = errorFormatter(report);
  const apollo = await openApollo({ schema, documents, format, report });
  const graphql = graphqlHandler({ apollo, documents, format, cache, newContext: callers.uncounted, respond });
  return {
    handler: (exchange: Exchange) => rest(exchange) ?? graphql(exchange),
    table,
    cache,
    documents: { check: documentChecks(documents), format },
    async stop(): Promise<void> {
      versions.stop();
      await apollo.stop();
    },
  };
}
