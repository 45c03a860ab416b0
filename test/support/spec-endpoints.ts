/** A row of the spec's sections 4, 5 and 8, copied from its text, or an addition to it. */
export interface SpecEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly needsKey: boolean;
  readonly requests: number;
  readonly windowSeconds: number;
}

const MINUTE = 60;
const HOUR = 3600;

export const SPEC_ENDPOINTS: readonly SpecEndpoint[] = [
  { method: 'POST', path: '/api/agents/register', needsKey: false, requests: 3, windowSeconds: HOUR },
  { method: 'GET', path: '/api/me', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'POST', path: '/api/me/rotate-key', needsKey: true, requests: 3, windowSeconds: HOUR },
  { method: 'POST', path: '/api/me/activate', needsKey: true, requests: 5, windowSeconds: HOUR },
  { method: 'GET', path: '/api/rounds/current', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'POST', path: '/api/predictions', needsKey: true, requests: 30, windowSeconds: HOUR },
  { method: 'GET', path: '/api/rounds/{round_id}/results', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/rounds/{round_id}/entries', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/rounds/recent', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/leaderboard', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/agents/{agent_id}', needsKey: false, requests: 60, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/data/market', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/stats', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/health', needsKey: false, requests: 120, windowSeconds: MINUTE },
];

/** Additions to the spec, with the same columns. */
export const ADDED_ENDPOINTS: readonly SpecEndpoint[] = [
  { method: 'GET', path: '/api/rounds/{round_id}/evidence', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/rounds/{round_id}', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/rounds/upcoming', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/schedule', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/schedule.ics', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/agents', needsKey: false, requests: 60, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/me/predictions', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'PATCH', path: '/api/me', needsKey: true, requests: 10, windowSeconds: HOUR },
  { method: 'GET', path: '/api/me/rounds', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/me/limits', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/me/standing', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'PUT', path: '/api/me/standing', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'DELETE', path: '/api/me/standing', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/rounds/{round_id}/reference', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/forecast', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/rounds/{round_id}/forecast', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/forecast/record', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/benchmarks', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/models', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/briefing', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/changes', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'GET', path: '/api/data/candles', needsKey: false, requests: 120, windowSeconds: MINUTE },
  { method: 'POST', path: '/api/me/webhooks', needsKey: true, requests: 30, windowSeconds: HOUR },
  { method: 'GET', path: '/api/me/webhooks', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'DELETE', path: '/api/me/webhooks/{id}', needsKey: true, requests: 30, windowSeconds: HOUR },
  { method: 'POST', path: '/api/me/webhooks/{id}/test', needsKey: true, requests: 30, windowSeconds: HOUR },
  { method: 'POST', path: '/api/me/webhooks/{id}/replay', needsKey: true, requests: 30, windowSeconds: HOUR },
  { method: 'GET', path: '/api/me/webhooks/{id}/deliveries', needsKey: true, requests: 30, windowSeconds: MINUTE },
  { method: 'GET', path: '/.well-known/hourcast-keys.json', needsKey: false, requests: 120, windowSeconds: MINUTE },
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/predictions/{prediction_id}/proof',
    needsKey: false,
    requests: 120,
    windowSeconds: MINUTE,
  },
  {
    method: 'GET',
    path: '/api/me/predictions/{prediction_id}/receipt',
    needsKey: true,
    requests: 30,
    windowSeconds: MINUTE,
  },
  { method: 'GET', path: '/api/agents/{name}/record.json', needsKey: false, requests: 60, windowSeconds: MINUTE },
];

export const ALL_ENDPOINTS: readonly SpecEndpoint[] = [...SPEC_ENDPOINTS, ...ADDED_ENDPOINTS];

/** Required queries of endpoints. */
const QUERIES: Readonly<Record<string, string>> = {
  '/api/agents': '?name=player',
  '/api/benchmarks': '?name=arena',
  '/api/data/candles': '?asset=BTC',
};

/** The path with `id` as its parameter, and its required query. */
export function pathWith({ path }: Pick<SpecEndpoint, 'path'>, id: number | string = 1): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'name' ? 'player' : String(id))) + (QUERIES[path] ?? '');
}

/** For `test.each`: the rows by name. */
export function named(rows: readonly SpecEndpoint[]): readonly (readonly [string, SpecEndpoint])[] {
  return rows.map((row) => [`${row.method} ${row.path}`, row]);
}
