import { Counter, Histogram, type Registry } from 'prom-client';

/** An answered request. `route` is one of the routes' own patterns, never what a caller wrote. */
export interface AnsweredRequest {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  /** True for an answer that lasts as long as its reader stays: its length says nothing. */
  readonly endless: boolean;
}

/** Other methods count as one: whoever makes up methods makes no label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts requests and times their answers. The children of a route are kept, so that labels are not hashed at each
 * request; they are as many as there are routes, methods and statuses.
 */
export function requestMetrics(registry: Registry): (request: AnsweredRequest) => void {
  const answered = new Counter({
    name: 'hourcast_http_requests_total',
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  });
  const taken = new Histogram({
    name: 'hourcast_http_request_duration_seconds',
    help: 'From the whole head of a request to the end of its answer; event streams are left out.',
    labelNames: ['route', 'method'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const counters = new Map<string, Counter.Internal>();
  const timers = new Map<string, Histogram.Internal<'route' | 'method'>>();
  return ({ route, method: given, status, seconds, endless }) => {
    const method = METHODS.has(given) ? given : 'other';
    const place = `${method} ${route}`;
    kept(counters, `${status} ${place}`, () => answered.labels({ route, method, status })).inc();
    if (!endless) kept(timers, place, () => taken.labels({ route, method })).observe(seconds);
  };
}

function kept<Child>(children: Map<string, Child>, key: string, make: () => Child): Child {
  let child = children.get(key);
  if (child === undefined) children.set(key, (child = make()));
  return child;
}
