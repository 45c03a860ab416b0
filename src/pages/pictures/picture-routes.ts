import { type Response, Router } from 'express';

import { noSuchPath } from '../../http/errors.ts';
import { searchOf } from '../../http/parameters.ts';
import { DomainError } from '../../rules/errors.ts';
import { idIn, isEmbed, type Route, routeAt } from '../../../dashboard/addresses.ts';
import { badgeSvg } from './badge.ts';
import type { AgentCardQuery } from '../../../dashboard/documents/card.ts';
import { type AnswerFirst, dataOf, foundOrUnavailable } from '../first-answers.ts';
import { headOf, isMissing } from '../heads.ts';
import { toPng } from './preview-png.ts';
import { previewSvg } from './preview-svg.ts';

const KEPT_SECONDS = 60;

export function pictureRoutes(answer: AnswerFirst): Router {
  const png = toPng();
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/badge/agent/:id.svg', async (request, response, next) => {
    const id = idIn(request.params.id);
    if (id === null) return next();
    const route: Route = { page: 'embedAgent', id, search: '' };
    const { AgentCard } = dataOf(await answer(request, route, { limit: 'graphqlRequest', endpoint: 'a badge' }));
    return sendPicture(response, 'image/svg+xml', Buffer.from(badgeSvg(agentOf(AgentCard, id))));
  });
  router.get(`${PREVIEWS}*path`, async (request, response, next) => {
    const route = previewed(request.path, searchOf(request));
    if (route === null) return next();
    const data = dataOf(await answer(request, route, { limit: 'previews', endpoint: 'a preview' }));
    if (isMissing(route, data)) return noSuchPath(request);
    return sendPicture(response, 'image/png', await png(previewSvg(headOf(route.page, data), data)));
  });
  return router;
}

const PREVIEWS = '/preview/';
const SUFFIX = '.png';
const NOW = 'now';

export function previewPath(path: string, search: string): string {
  return `${PREVIEWS}${path.slice(1) || NOW}${SUFFIX}${search}`;
}

function previewed(path: string, search: string): Route | null {
  if (!path.endsWith(SUFFIX)) return null;
  const name = path.slice(PREVIEWS.length, -SUFFIX.length);
  const route = routeAt(`/${name === NOW ? '' : name}`, search);
  return route === null || isEmbed(route.page) ? null : route;
}

function agentOf(card: AgentCardQuery | undefined, id: number): NonNullable<AgentCardQuery['agent']> {
  const { agent } = foundOrUnavailable(card, 'agent');
  if (agent === null) throw new DomainError('unknown_agent', `There is no agent ${id}.`);
  return agent;
}

/** Express adds an ETag; pages of other sites may show the picture. */
function sendPicture(response: Response, type: string, picture: Buffer): void {
  response
    .set({
      'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
      'Content-Type': type,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    .send(picture);
}
