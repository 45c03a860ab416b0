import { type Request, type Response, Router } from 'express';

import { timeBudget } from '../../deadline.ts';
import { noSuchPath } from '../../http/errors.ts';
import { searchOf } from '../../http/parameters.ts';
import { ANSWER_MS, type LimitName } from '../../limits.ts';
import { DomainError } from '../../rules/errors.ts';
import { idIn, isEmbed, type Route, routeAt } from '../../../dashboard/addresses.ts';
import { badgeSvg } from './badge.ts';
import type { AgentCardQuery } from '../../../dashboard/documents/card.ts';
import { dataOf, type FirstAnswers } from '../../../dashboard/document.ts';
import type { AnswerFirst } from '../first-answers.ts';
import { headOf, isMissing } from '../heads.ts';
import { toPng } from './preview-png.ts';
import { previewSvg } from './preview-svg.ts';

export interface PictureContext {
  admit(limit: LimitName, asked: string): Promise<void>;
}

export interface PictureDeps {
  readonly answer: AnswerFirst;
  /** What a page or a picture shows spends what the same queries would spend. */
  readonly newContext: (request: Request) => PictureContext;
}

/** How long whoever shows a picture may keep it, in seconds. */
const KEPT_SECONDS = 60;

/** The pictures that other sites show: badges of agents, and previews of pages. */
export function pictureRoutes({ answer, newContext }: PictureDeps): Router {
  const png = toPng();
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/badge/agent/:id.svg', (request, response, next) => {
    const id = idIn(request.params.id);
    if (id === null) {
      next();
      return undefined;
    }
    const read = async (): Promise<void> => {
      const context = newContext(request);
      await context.admit('graphqlRequest', 'a badge');
      const agent = await agentCard(answer, id, context);
      sendPicture(response, 'image/svg+xml', Buffer.from(badgeSvg(agent)));
    };
    return timeBudget(ANSWER_MS).run(read);
  });
  router.get(`${PREVIEWS}*path`, (request, response, next) => {
    const route = previewed(request.path, searchOf(request));
    if (route === null) {
      next();
      return undefined;
    }
    const read = async (): Promise<FirstAnswers> => {
      const context = newContext(request);
      await context.admit('previews', 'a preview');
      return answer(route, context);
    };
    const show = async (answers: FirstAnswers): Promise<void> => {
      const data = dataOf(answers);
      if (isMissing(route, data)) return noSuchPath(request);
      const svg = previewSvg(headOf(route.page, data), data);
      return sendPicture(response, 'image/png', await png(svg));
    };
    return timeBudget(ANSWER_MS).run(read).then(show);
  });
  return router;
}

const PREVIEWS = '/preview/';
const SUFFIX = '.png';
/** What stands for the page whose path has no name. */
const NOW = 'now';

/** The path of the picture of a page. */
export function previewPath(path: string, search: string): string {
  return `${PREVIEWS}${path.slice(1) || NOW}${SUFFIX}${search}`;
}

/** The page that a picture's path names; null where it names none, and of frames. */
function previewed(path: string, search: string): Route | null {
  if (!path.endsWith(SUFFIX)) return null;
  const name = path.slice(PREVIEWS.length, -SUFFIX.length);
  const route = routeAt(`/${name === NOW ? '' : name}`, search);
  return route === null || isEmbed(route.page) ? null : route;
}

/** Throws when there is no such agent, and when it cannot be read. */
async function agentCard(
  answer: AnswerFirst,
  id: number,
  context: PictureContext,
): Promise<NonNullable<AgentCardQuery['agent']>> {
  const answers = await answer({ page: 'embedAgent', id, search: '' }, context);
  const card = answers['AgentCard']?.data;
  if (!isCard(card)) throw new DomainError('unavailable', 'The agent cannot be read at present; try again shortly.');
  if (card.agent == null) throw new DomainError('unknown_agent', `There is no agent ${id}.`);
  return card.agent;
}

function isCard(answer: unknown): answer is AgentCardQuery {
  return typeof answer === 'object' && answer !== null && 'agent' in answer;
}

/** With a tag of what it holds, so that who has it is not sent it again; pages of other sites may show it. */
function sendPicture(response: Response, type: string, picture: Buffer): void {
  response
    .set({
      'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
      'Content-Type': type,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    .send(picture);
}
