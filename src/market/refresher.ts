import { setTimeout as delay } from 'node:timers/promises';

export interface Refresher {
  /** Runs the task once, answers when that is done, and goes on running it until stopped. Once started, it answers the same. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface Rhythm {
  /** Real milliseconds from the start of one run to the start of the next; a run that takes longer is waited for. */
  readonly everyMs: number;
  readonly realNow: () => Date;
  /** What a run threw; the next one comes all the same. */
  readonly report: (error: unknown) => void;
}

/** Runs `task` again and again, never twice at once. */
export function refresher(task: () => Promise<void>, { everyMs, realNow, report }: Rhythm): Refresher {
  const stopping = new AbortController();
  let first: Promise<number> | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<number> => {
    const startedAt = realNow().getTime();
    await task().catch(report);
    return Math.max(0, startedAt + everyMs - realNow().getTime());
  };
  const goOn = async (firstPauseMs: number): Promise<void> => {
    for (let pauseMs = firstPauseMs; !stopping.signal.aborted;) {
      await delay(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (!stopping.signal.aborted) pauseMs = await run();
    }
  };
  return {
    async start() {
      if (first === undefined) {
        first = run();
        running = first.then(goOn);
      }
      await first;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
