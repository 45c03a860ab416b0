import { randomBytes } from 'node:crypto';

import { openOperatorHttp } from '../../src/app/open-http.ts';
import { noLimiter } from '../../src/backplane/local.ts';
import { makeLogger } from '../../src/logger.ts';
import type { OperatingDeps } from '../../src/operating/operator-routes.ts';
import { type TestService, urlOf } from '../support/service.ts';
import { recording } from '../support/queues.ts';
import { TOKEN } from './admin.ts';

export interface Worker extends AsyncDisposable {
  readonly url: string;
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

/** A process that serves nobody but operators, on the database of `service`, which serves all. */
export async function startWorker(service: TestService, operating: Partial<OperatingDeps> = {}): Promise<Worker> {
  const { newEm, clock, market } = service;
  const http = openOperatorHttp({
    operating: {
      newEm,
      clock,
      market,
      feed: null,
      limiter: noLimiter,
      backplane: { status: () => [] },
      queue: { ...recording([]), name: 'none' },
      pools: () => ({}),
      reads: { look: async () => null, figures: () => null },
      announce: () => service.nudge(),
      publish: (change) => service.tell(change),
      keyPepper: undefined,
      adminToken: TOKEN,
      processMetrics: null,
      noticeMs: 0,
      randomBytes,
      log: makeLogger('silent'),
      report: (error) => service.reported.push(error),
      ...operating,
    },
    settings: { trustProxy: false },
  });
  await new Promise<void>((resolve) => http.server.listen(0, '127.0.0.1', resolve));
  const url = urlOf(http.server);
  return {
    url,
    get: async (path) => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
      return { status: response.status, text: await response.text() };
    },
    [Symbol.asyncDispose]: () => http.close(),
  };
}
