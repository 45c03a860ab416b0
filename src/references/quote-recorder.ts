import { setTimeout } from 'node:timers/promises';

import type { Clock } from '../clock.ts';
import { Round } from '../entities/round.ts';
import { gridPointAt, gridTime } from '../rules/grid.ts';
import { hourOf, SECOND } from '../rules/hours.ts';
import { fillEvidence, type ReferenceDeps } from './fill-evidence.ts';

interface RecorderDeps extends ReferenceDeps {
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** The minimum pause between two records, in real milliseconds. */
const SHORTEST_MS = SECOND;

/** Stores live prices at each grid point of the running round, as they come, until stopped. */
export function startQuoteRecorder({ clock, report, ...deps }: RecorderDeps) {
  const record = quoteRecording(deps);
  const stopping = new AbortController();
  const { signal } = stopping;
  const recordOn = async (): Promise<void> => {
    while (!signal.aborted) {
      await record(clock.now()).catch(report);
      const now = clock.now();
      const hour = hourOf(now);
      const next = gridTime(hour, gridPointAt(hour, now) + 1);
      const pauseMs = Math.max(SHORTEST_MS, clock.realMsUntil(next) + 1);
      await setTimeout(pauseMs, undefined, { signal }).catch(() => {});
    }
  };
  const running = recordOn();
  return {
    /** Ends the recording; waits for reads and writes in flight. */
    stop(): Promise<void> {
      stopping.abort();
      return running;
    },
  };
}

/** A function that stores the prices of the running round at the points since its last call; stored prices stay. */
export function quoteRecording(deps: ReferenceDeps): (now: Date) => Promise<void> {
  let looked = { hour: 0, point: -1 };
  return async (now) => {
    const hour = hourOf(now);
    const round = await deps.newEm().findOne(Round, { startTime: hour, status: 'active' }, { fields: ['id'] });
    if (round === null) return;
    const last = gridPointAt(hour, now);
    const first = looked.hour === hour.getTime() ? looked.point + 1 : 0;
    const points = Array.from({ length: last - first + 1 }, (_, place) => first + place);
    if (points.length === 0) return;
    await fillEvidence(deps, [{ roundId: round.id, points }], { now, mayFill: () => true });
    looked = { hour: hour.getTime(), point: last };
  };
}
