import type { Express } from 'express';
import type { GraphQLSchema } from 'graphql';

import { bundleOnce as bundle } from '../pages/bundle.ts';
import { feedRoutes } from '../pages/feeds/feed-routes.ts';
import { missingPage, pageRoutes } from '../pages/page-routes.ts';
import type { Read } from '../database/reads.ts';
import { segmentRoutes } from '../feed/segment-routes.ts';
import { exportRoutes } from '../export/export-routes.ts';
import { logRoutes } from '../export/log-routes.ts';
import { rowReader } from '../export/row-stream.ts';
import { PATH } from '../graphql/handler.ts';
import { ideRoutes } from '../graphql/ide.ts';
import { guideRoutes } from '../pages/guides/guide-routes.ts';
import { openToAllOrigins } from '../http/origins.ts';
import { mcpRoutes } from '../mcp/mcp-routes.ts';
import { skillRoutes } from '../mcp/skill.ts';
import { describeBody } from '../openapi/endpoint-operation.ts';
import type { Services } from '../resolvers/context.ts';
import type { StreamRoute } from '../rest/endpoint.ts';
import { ENDPOINTS } from '../rest/endpoints.ts';
import { streamRouter } from '../rest/streams.ts';
import { refusePath } from '../rest/unknown-path.ts';
import type { Answers } from './open-answers.ts';
import type { Callers } from './open-callers.ts';

export interface RoutesDeps {
  readonly schema: GraphQLSchema;
  readonly services: Pick<Services, 'picks' | 'version' | 'clock' | 'references' | 'read'>;
  readonly answers: Pick<Answers, 'table' | 'documents' | 'cache'>;
  readonly callers: Callers;
  readonly isProxy: (address: string) => boolean;
  readonly eventStream: StreamRoute;
  readonly readExports: Read;
  readonly exportsAtOnce: number;
  readonly longestExportMs?: number | undefined;
  readonly report: (error: unknown) => void;
}

export function mountRoutes(app: Express, deps: RoutesDeps): void {
  const { schema, answers, callers, report } = deps;
  const { picks, version, clock, references } = deps.services;
  const { table } = answers;
  app.use(openToAllOrigins(), ideRoutes(PATH));
  app.use(pageRoutes({ schema, newContext: callers.keyless, bundle, report }));
  app.use(feedRoutes({ schema, cache: answers.cache, newContext: callers.counted, report }));
  app.use(guideRoutes({ table, schema, version, bundle, report }));
  app.use(
    mcpRoutes({
      table,
      schema,
      documents: answers.documents,
      version,
      callerOf: (request) => ({
        forEndpoint: () => callers.counted(request),
        forDocument: () => callers.uncounted(request),
      }),
      foreignOrigin: callers.foreignOrigin,
      isProxy: deps.isProxy,
      describeBody,
      report,
    }),
  );
  app.use(skillRoutes({ table, report }));
  app.use(missingPage({ bundle, report }));
  const read = rowReader(deps.readExports, deps.exportsAtOnce, (roundId) =>
    references.fillMinutes(roundId, clock.now()),
  );
  const exports = exportRoutes({ read, picks, report, longestMs: deps.longestExportMs });
  const log = logRoutes({ read: deps.readExports, report });
  const streams = [deps.eventStream, ...segmentRoutes(deps.services.read, answers.cache), ...exports, ...log];
  const paths = new Set([...ENDPOINTS, ...streams].map(({ path }) => path));
  app.use(streamRouter(streams, { refuse: refusePath([...paths]), newContext: callers.counted, report }));
}
