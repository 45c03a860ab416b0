import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a process knows of itself at a moment: bytes after a garbage collection, milliseconds since the last look. */
export interface ProcessFigures {
  readonly rss: number;
  readonly heap: number;
  readonly lagMeanMs: number;
  readonly lagP99Ms: number;
  readonly lagMaxMs: number;
}

/** Where the figures go; set for a process that is started with `--import` of this file. */
export const PROBE_FILE = 'HOURCAST_PROBE_FILE';
const NANOSECONDS = 1e6;
const RESOLUTION_MS = 10;

const file = process.env[PROBE_FILE];
if (file !== undefined) watch(file);

/** Writes the figures at each SIGUSR2. */
function watch(path: string): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  // The timer behind it fires every 10 ms: what is beyond that is lag.
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  lag.enable();
  process.on('SIGUSR2', () => {
    const [mean, p99, max] = [lag.mean, lag.percentile(99), lag.max].map((ns) => ns / NANOSECONDS - RESOLUTION_MS);
    if (typeof collect === 'function') collect();
    const { rss, heapUsed } = process.memoryUsage();
    const figures = { rss, heap: heapUsed, lagMeanMs: mean, lagP99Ms: p99, lagMaxMs: max };
    // Whole or not at all: somebody waits for it to appear.
    writeFileSync(`${path}.part`, JSON.stringify(figures));
    renameSync(`${path}.part`, path);
    lag.reset();
  });
}
