import { Counter, Histogram, type Registry } from 'prom-client';

/** Unknown methods share one label, so callers cannot create labels. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

type Counts = Map<string, Map<string, Map<number, number>>>;

/** Endless answers have no seconds: their duration depends on the reader. */
export function requestMetrics(
  registry: Registry,
): (answered: { route: string; method: string; status: number }, seconds: number | null) => void {
  const counts: Counts = new Map();
  const requests = new Counter({
    name: 'hourcast_http_requests_total',
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
    collect() {
      for (const [route, byMethod] of counts)
        for (const [method, byStatus] of byMethod)
          for (const [status, count] of byStatus) requests.inc({ route, method, status }, count);
      counts.clear();
    },
  });
  const durations = new Histogram({
    name: 'hourcast_http_request_duration_seconds',
    help: 'Time from the complete head of a request to the end of its response, without event streams.',
    labelNames: ['route', 'method'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return ({ route, method: given, status }, seconds) => {
    const method = METHODS.has(given) ? given : 'other';
    const statuses = statusesOf(counts, route, method);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (seconds !== null) durations.observe({ route, method }, seconds);
  };
}

function statusesOf(counts: Counts, route: string, method: string): Map<number, number> {
  const ofRoute = counts.get(route) ?? new Map<string, Map<number, number>>();
  const statuses = ofRoute.get(method) ?? new Map<number, number>();
  counts.set(route, ofRoute.set(method, statuses));
  return statuses;
}
