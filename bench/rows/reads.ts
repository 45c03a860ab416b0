import { compare, type Side, sideOf } from '../compare.ts';
import { benchKey } from '../history-shapes.ts';
import { get, type Load, type Target, these } from '../load.ts';
import { decidedRounds, measuredService, type MeasuredService } from '../measured-service.ts';
import { startPeer } from '../peers.ts';
import { ratioTable } from '../results.ts';
import type { Row } from './row.ts';

/** Ids of rounds and agents, used in turn. */
const SOME = 100;

/** P3: public reads, new and revalidated, beside Express 5 by default. */
export const publicReads: Row = (options) =>
  besideHello(options, async (service) => {
    const [newest = 0] = await decidedRounds(service.url, 1);
    const paths = [
      '/api/rounds/current',
      '/api/leaderboard',
      '/api/rounds/recent',
      '/api/stats',
      '/api/data/market',
      `/api/rounds/${newest}/results?limit=10`,
    ];
    return paths.flatMap((path) => [sideOf(service, path, these([get(path)])), unchanged(service, path)]);
  });

/** P4: reads that no cache serves, since they depend on the caller or are rare. Many different ones alternate. */
export const privateReads: Row = (options) =>
  besideHello(options, async (service) => {
    const agents = upTo(service.history.regulars);
    const rounds = await decidedRounds(service.url, SOME);
    return [
      sideOf(
        service,
        `/api/me, ${agents.length} agents`,
        these(agents.map((id) => get('/api/me', { authorization: `Bearer ${benchKey(id)}` }))),
      ),
      sideOf(
        service,
        `/api/agents/{id}, ${agents.length} agents`,
        each(agents, (id) => `/api/agents/${id}`),
      ),
      sideOf(
        service,
        `entries of ${SOME} rounds, 100 rows`,
        each(rounds, (id) => `/api/rounds/${id}/entries?limit=100`),
      ),
      sideOf(
        service,
        `results of ${SOME} rounds, 10 rows`,
        each(rounds, (id) => `/api/rounds/${id}/results?limit=10`),
      ),
      sideOf(
        service,
        `entries of ${SOME} rounds, 1,000 rows`,
        each(rounds, (id) => `/api/rounds/${id}/entries`),
      ),
      sideOf(
        service,
        `results of ${SOME} rounds, 1,000 rows`,
        each(rounds, (id) => `/api/rounds/${id}/results`),
      ),
    ];
  });

const each = (ids: readonly number[], path: (id: number) => string): Load => these(ids.map((id) => get(path(id))));

type Sides = (service: MeasuredService) => Promise<readonly Side[]>;

async function besideHello(options: Parameters<Row>[0], sidesOf: Sides): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await measuredService(options));
  const hello = stack.use(await startPeer('express-hello'));
  const peer = sideOf(hello, 'Express 5 `res.json`', these([get('/hello')]));
  const sides = await sidesOf(service);
  const compared = await compare(peer, sides, options);
  return ratioTable(
    peer.name,
    [...compared].map(([{ name }, pairs]) => ({ what: name, pairs })),
  );
}

/** Sends the answer's current ETag. */
function unchanged(target: Target, path: string): Side {
  return sideOf(target, `${path}, 304`, { requests: { kind: 'revalidating', path } });
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);
