import { collectDefaultMetrics, Counter, Registry } from 'prom-client';

import { singleFlight } from '../in-flight.ts';
import { type ErrorReason, REASONS } from '../rules/errors.ts';
import { type Observation, serviceMetrics } from './service-metrics.ts';

interface MetricsDeps {
  readonly observe: () => Promise<Observation>;
  /** Metrics of the process; null if several services share it. */
  readonly process: Registry | null;
}

export function openMetrics({ observe, process }: MetricsDeps) {
  const registry = new Registry();
  const unreadable = new Counter({
    name: 'hourcast_http_unreadable_total',
    help: 'Requests that were refused before they reached a route, by the status of the answer.',
    labelNames: ['status'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'hourcast_refusals_total',
    help: 'Refusals by this process, over every transport, by error code.',
    labelNames: ['code'],
    registers: [registry],
  });
  // Zero from the start, so that the first refusal is an increase.
  for (const code of REASONS) refusals.inc({ code }, 0);
  const show = serviceMetrics(registry);
  return {
    contentType: registry.contentType,
    /** For the metrics of requests. */
    registry,
    /** Counts a request that failed before any route. */
    countUnreadable: (status: number): void => unreadable.inc({ status: String(status) }),
    countRefused: (code: ErrorReason): void => refusals.inc({ code }),
    /** All metrics in Prometheus' format. Simultaneous scrapes share one observation. */
    text: singleFlight(async () => {
      show(await observe());
      const parts = await Promise.all([registry.metrics(), process?.metrics() ?? '']);
      return parts.join('\n');
    }),
  };
}

/** Metrics of the process: memory, processor, event loop, garbage collection. Call once per process. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
