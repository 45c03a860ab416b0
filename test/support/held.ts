import type { CDPSession } from 'playwright-core';

/** A tab's memory after garbage collection. */
export interface Held {
  readonly bytes: number;
  /** Includes detached nodes that scripts hold. */
  readonly nodes: number;
  readonly listeners: number;
}

/** `Performance` must be enabled in the session. */
export async function held(inspector: CDPSession): Promise<Held> {
  await inspector.send('HeapProfiler.collectGarbage');
  const { metrics } = await inspector.send('Performance.getMetrics');
  const of = (name: string): number => {
    const found = metrics.find((metric) => metric.name === name);
    if (found === undefined) throw new Error(`Chromium must tell ${name} (told ${metrics.length} others)`);
    return found.value;
  };
  return { bytes: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}
