import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

import { type AnsweredRequest, requestMetrics } from './request-metrics.ts';
import { type Observed, serviceMetrics } from './service-metrics.ts';
import { singleFlight } from './single-flight.ts';

export interface Metrics {
  readonly contentType: string;
  readonly measure: (request: AnsweredRequest) => void;
  /** Counts a request that was given up before any route saw it. */
  readonly countUnreadable: (status: number) => void;
  /** Everything as Prometheus reads it. Scrapes at the same moment share one. */
  readonly text: () => Promise<string>;
}

export interface MetricsNeeds {
  readonly observe: () => Promise<Observed>;
  /** The process's own figures; null where several services share a process. */
  readonly process: Registry | null;
}

export function openMetrics({ observe, process }: MetricsNeeds): Metrics {
  const registry = new Registry();
  const unreadable = new Counter({
    name: 'hourcast_http_unreadable_total',
    help: 'Requests that were given up before any route saw them, by the status of the answer.',
    labelNames: ['status'],
    registers: [registry],
  });
  const show = serviceMetrics(registry);
  const requests = requestMetrics();
  return {
    contentType: registry.contentType,
    measure: requests.measure,
    countUnreadable: (status) => unreadable.inc({ status: String(status) }),
    text: singleFlight(async () => {
      show(await observe());
      const parts = await Promise.all([registry.metrics(), process?.metrics() ?? '']);
      return [...parts, requests.text()].join('\n');
    }),
  };
}

/** The figures of the process itself: memory, processor, event loop, garbage collection. Once a process. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
