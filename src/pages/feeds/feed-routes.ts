import { type Request, type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';

import type { AnswerCache, Dependency } from '../../http/answer-cache.ts';
import { FOR_ITS_HOST } from '../../http/cache-headers.ts';
import { sendCached } from '../../http/compression.ts';
import { refuseMethod, sendErrors } from '../../http/errors.ts';
import { originOf } from '../../http/origins.ts';
import type { RestContext } from '../../rest/answering.ts';
import { countRequest } from '../../rest/streams.ts';
import { DomainError, quoted } from '../../rules/errors.ts';
import { AgentFeed, ChangesFeed, RoundsFeed } from '../../../dashboard/documents/feeds.ts';
import { documentReader, foundOrUnavailable } from '../first-answers.ts';
import { ATOM_TYPE, atomText, type Feed } from './atom.ts';
import { agentFeed, CHANGES_FEED, changesFeed, ROUNDS_FEED, roundsFeed } from './feeds.ts';

interface FeedDeps {
  readonly schema: GraphQLSchema;
  readonly cache: AnswerCache;
  /** For requests that are already counted. */
  readonly newContext: (request: Request) => RestContext;
  readonly report: (error: unknown) => void;
}

const DEPENDS_ON: readonly Dependency[] = ['events', 'entries', 'second'];

/** Atom feeds of decided rounds, of each agent, and of the service's changes. */
export function feedRoutes({ schema, cache, newContext, report }: FeedDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const serve = (path: string, feedFor: (context: RestContext, request: Request) => Promise<Feed>): void => {
    const handler: RequestHandler = async (request, response) => {
      const context = newContext(request);
      await countRequest(context, { limit: 'feeds', endpoint: `GET ${path}` }, response);
      const origin = originOf(request);
      const answer = await cache.answer(origin + request.path, {
        dependsOn: DEPENDS_ON,
        produce: async () => {
          const feed = await feedFor(context.forEverybody(), request);
          return { body: atomText(feed, origin), immutable: false };
        },
      });
      // No `Last-Modified`, since a hidden text changes a feed without a newer entry.
      response.set({ ...FOR_ITS_HOST, 'Content-Type': ATOM_TYPE, ETag: answer.etag });
      await sendCached(response, answer);
    };
    router.route(path).get(handler).all(refuseMethod('GET'));
  };
  const rounds = documentReader(schema, RoundsFeed);
  const agent = documentReader(schema, AgentFeed);
  serve(ROUNDS_FEED, async (context) => roundsFeed(foundOrUnavailable(await rounds(context, {}), 'feed')));
  serve('/feeds/agents/:name.atom', async (context, { params: { name = '' } }) => {
    const known = /^[\w-]+$/.test(String(name))
      ? foundOrUnavailable(await agent(context, { name: String(name) }), 'feed')
      : null;
    if (known?.agent == null)
      throw new DomainError('unknown_agent', `There is no agent with the name ${quoted(name)}.`);
    return agentFeed(known.agent, known);
  });
  const changes = documentReader(schema, ChangesFeed);
  serve(CHANGES_FEED, async (context) => changesFeed(foundOrUnavailable(await changes(context, {}), 'feed')));
  router.use(sendErrors(report));
  return router;
}
