import { Counter, Histogram, type Registry } from 'prom-client';

/** What requests are counted by. */
interface Answered {
  /** The route's pattern, never what a caller wrote. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
}

/** Other methods count as one: whoever makes up methods makes no label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

/**
 * Counts requests and times their answers. Answers that last as long as their readers stay have no seconds: their length
 * says nothing.
 */
export function requestMetrics(registry: Registry): (answered: Answered, seconds: number | null) => void {
  const requests = new Counter({
    name: 'hourcast_http_requests_total',
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'hourcast_http_request_duration_seconds',
    help: 'From the whole head of a request to the end of its answer; event streams are left out.',
    labelNames: ['route', 'method'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return ({ route, method: given, status }, seconds) => {
    const method = METHODS.has(given) ? given : 'other';
    requests.inc({ route, method, status });
    if (seconds !== null) durations.observe({ route, method }, seconds);
  };
}
