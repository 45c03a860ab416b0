import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Queue as BullQueue } from 'bullmq';
import { Router } from 'express';

import { QUEUE_PAGE_POLICY } from '../http/policies.ts';

/** Where the page is. */
const QUEUE_PAGE = '/admin/queues';

/**
 * The page of the job queues. It only shows: its buttons would change things past the audit, at the wish of any site
 * that the operator's browser has open.
 */
export function queuePage(queues: () => readonly object[]): Router {
  const serverAdapter = new ExpressAdapter().setBasePath(QUEUE_PAGE);
  const board = createBullBoard({
    queues: [],
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Hourcast queues', hideRedisDetails: true } },
  });
  const page = serverAdapter.getRouter();
  page.disable('x-powered-by');
  const router = Router({ caseSensitive: true });
  router.use(QUEUE_PAGE, (request, response, next) => {
    response.locals['route'] = QUEUE_PAGE;
    response.set('Content-Security-Policy', QUEUE_PAGE_POLICY);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response
        .set('Allow', 'GET, HEAD')
        .status(405)
        .json({ error: `${QUEUE_PAGE} only shows: it takes GET, HEAD.`, code: 'method_not_allowed' });
      return;
    }
    // Queues may be opened after the endpoints.
    board.replaceQueues(
      queues()
        .filter((queue) => queue instanceof BullQueue)
        .map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    );
    next();
  });
  router.use(QUEUE_PAGE, page);
  return router;
}
