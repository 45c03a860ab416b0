import type { CDPSession } from 'playwright-core';

/** What a tab holds after all that is not needed was given back. */
export interface Held {
  readonly bytes: number;
  /** Of its documents, those that only scripts hold included. */
  readonly nodes: number;
  readonly listeners: number;
}

/** Asks Chromium, in whose session `Performance` must be enabled. */
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
