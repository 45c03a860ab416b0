import { pairsOf, sideOf } from '../compare.ts';
import { benchKey } from '../history-shapes.ts';
import { get, post, these } from '../load.ts';
import { measuredService } from '../measured-service.ts';
import { ratioTable } from '../results.ts';
import type { Row } from './row.ts';

const UNAUTHORIZED = 401;

/**
 * P11: the cost of a key: requests with and without one. An agent's own profile is compared with its public one, which is cached
 * too.
 */
export const keyChecks: Row = async (options) => {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await measuredService(options));
  const agents = Array.from({ length: options.history.regulars }, (_, n) => n + 1);
  const body = { round_id: 1, prediction: 'BTC', confidence: 50 };
  // Well-formed keys of no agent.
  const unknown = agents.map((n) => `Bearer ${benchKey(900_000_000 + n)}`);
  const unauthorized = { status: UNAUTHORIZED };
  const refused = unknown.map((authorization) => post('/api/predictions', body, { authorization }));
  const publicReads = these(agents.map((n) => get(`/api/agents/${n}`)));
  const compared = [
    [
      sideOf(service, 'POST /api/predictions with an unknown key (401)', these(refused, unauthorized)),
      sideOf(service, 'without a key (401)', these([post('/api/predictions', body)], unauthorized)),
    ],
    [
      sideOf(service, '/api/agents/{id} with a key', these(agents.map((n) => get(`/api/agents/${n}`, keyOf(n))))),
      sideOf(service, 'the same agents without a key', publicReads),
    ],
    [
      sideOf(service, '/api/me with a key', these(agents.map((n) => get('/api/me', keyOf(n))))),
      sideOf(service, '/api/agents/{id} of the same agents without', publicReads),
    ],
  ] as const;
  const lines = [];
  for (const [ours, theirs] of compared) {
    const pairs = await pairsOf(theirs, ours, options);
    lines.push({ what: `${ours.name}, beside ${theirs.name}`, pairs });
  }
  return ratioTable('the same without a key', lines);
};

const keyOf = (n: number) => ({ authorization: `Bearer ${benchKey(n)}` });
