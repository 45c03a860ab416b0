import { setTimeout as delay } from 'node:timers/promises';

import type { Seeded } from '../support/seeded.ts';
import type { ServiceProcess } from '../support/service-process.ts';

/** When a kill comes. */
export const MOMENTS = ['start', 'submissions', 'edge', 'resolution', 'stop'] as const;

export type Moment = (typeof MOMENTS)[number];

export interface Approach {
  readonly service: ServiceProcess;
  readonly random: Seeded;
  /** Real milliseconds of an hour, and until the next one begins. */
  readonly hourMs: number;
  readonly msToEdge: () => Promise<number>;
  /** How many agents submit, and when so many more of their submissions have been accepted. */
  readonly agents: number;
  readonly accepts: (more: number) => Promise<void>;
}

/** A start takes this long on an idle machine; a bit more, so that some kills come right after it. */
const START_MS = 1500;
const STOP_MS = 200;
/** Closing and opening at an hour's edge takes about this long, and the resolution that follows. */
const EDGE_MS = 25;
const RESOLUTION_MS = 120;

/** Brings the service to the moment, from a dead one, without killing it. The whole wait comes from `random`. */
export const APPROACHES: Readonly<Record<Moment, (approach: Approach) => Promise<void>>> = {
  async start({ service, random }) {
    const wait = random.between(0, START_MS);
    // It is killed before it answers, or right after.
    await Promise.race([service.start().catch(() => {}), delay(wait)]);
    await delay(random.between(0, EDGE_MS));
  },
  async submissions({ service, random, agents, accepts }) {
    // Counted, not timed: how many come in within a stretch of time depends on the machine.
    const [more, off] = [random.between(1, 2 * agents), random.between(0, EDGE_MS)];
    await service.start();
    await accepts(more);
    await delay(off);
  },
  async edge({ service, random, msToEdge }) {
    const off = random.between(-EDGE_MS, EDGE_MS);
    await service.start();
    await delay(Math.max(0, (await msToEdge()) + off));
  },
  async resolution({ service, random, msToEdge }) {
    const off = random.between(0, RESOLUTION_MS);
    await service.start();
    await delay((await msToEdge()) + off);
  },
  async stop({ service, random, hourMs }) {
    const [wait, off] = [random.between(0, hourMs / 4), random.between(0, STOP_MS)];
    await service.start();
    await delay(wait);
    service.signal('SIGTERM');
    await delay(off);
  },
};

/** As many moments as kills, each as often as the others, in an order of the seed's. */
export function momentsFor(kills: number, random: Seeded): readonly Moment[] {
  const moments = Array.from({ length: kills }, (_, index) => MOMENTS[index % MOMENTS.length] ?? 'start');
  return moments
    .map((moment) => ({ moment, at: random.next() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ moment }) => moment);
}
