import { compare, type Side } from '../compare.ts';
import { benchKey } from '../history-shapes.ts';
import { get, type Load, post, type Target, turnOf } from '../load.ts';
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
  const refused = {
    ours: asking(
      service,
      'POST /api/predictions with an unknown key (401)',
      unknown.map((authorization) => post('/api/predictions', body, { authorization })),
      UNAUTHORIZED,
    ),
    theirs: asking(service, 'without a key (401)', [post('/api/predictions', body)], UNAUTHORIZED),
  };
  const profiles = asking(
    service,
    'the same agents without a key',
    agents.map((n) => get(`/api/agents/${n}`)),
  );
  const others = {
    ours: asking(
      service,
      '/api/agents/{id} with a key',
      agents.map((n) => get(`/api/agents/${n}`, keyOf(n))),
    ),
    theirs: profiles,
  };
  const own = {
    ours: asking(
      service,
      '/api/me with a key',
      agents.map((n) => get('/api/me', keyOf(n))),
    ),
    theirs: { ...profiles, name: '/api/agents/{id} of the same agents without' },
  };
  const lines = [];
  for (const { ours, theirs } of [refused, others, own]) {
    const pairs = [...(await compare(theirs, [ours], options)).values()].flat();
    lines.push({ what: `${ours.name}, beside ${theirs.name}`, pairs });
  }
  return ratioTable('the same without a key', lines);
};

const keyOf = (n: number) => ({ authorization: `Bearer ${benchKey(n)}` });

function asking(target: Target, name: string, texts: readonly string[], status = 200): Side {
  const load: Load = { requests: { kind: 'these', texts }, status };
  return { name, turn: (span) => turnOf(target, load, span) };
}
