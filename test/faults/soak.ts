import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { deployment } from '../support/deployment.ts';
import { startLoad } from './load.ts';
import { PROBE_FILE } from './process-probe.ts';
import { serviceClock } from '../support/service-clock.ts';
import { settle } from './settling.ts';
import { FIGURES_HEAD, figuresOf, figuresRow, growthFaults, type SoakFigures } from './soak-figures.ts';
import { snapshot } from '../support/snapshot.ts';
import { socketSubscriber, streamSubscriber } from '../support/subscriber.ts';

export interface SoakOptions {
  readonly seed: number;
  /** Hours of the service's time. */
  readonly hours: number;
  /** How many real milliseconds an hour takes. */
  readonly hourMs: number;
  readonly agents: number;
  /** Half of them over WebSocket, half over server-sent events. */
  readonly subscribers: number;
  readonly log: (line: string) => void;
}

const HOUR_MS = 3_600_000;
/** Looks at the figures, the first after the caches have begun to fill. */
const LOOKS = 12;
const PROBE = new URL('process-probe.ts', import.meta.url).href;

/**
 * Runs one process for many hours of a fast clock, with agents that answer each of them and subscribers that hear
 * everything, and prints its figures. Returns all that is wrong: an hour missing, an event missed or doubled, a
 * difference that the oracle finds, or figures that grow by more than they may.
 */
export async function soak(options: SoakOptions): Promise<readonly string[]> {
  const { seed, hours, hourMs, agents, log } = options;
  const file = join(tmpdir(), `hourcast-probe-${process.pid}.json`);
  const speed = HOUR_MS / hourMs;
  const probe = { NODE_OPTIONS: `--import ${PROBE}`, [PROBE_FILE]: file };
  await using site = await deployment({ CLOCK_SPEED: String(speed), ...probe });
  await site.start();
  await using load = startLoad({ seed, agents, urls: site.urls, speed, renewed: 0 });
  await using opened = new AsyncDisposableStack();
  const subscribers = Array.from({ length: options.subscribers }, (_, index) => {
    const open = index % 2 === 0 ? socketSubscriber : streamSubscriber;
    return opened.use(open(`subscriber ${index + 1}`, site.urls));
  });
  const connection = await site.connection();
  const clock = connection && (await snapshot(connection, serviceClock));
  if (!connection || !clock) return ['There is no database'];
  const start = Math.ceil(clock.toService(Date.now()) / HOUR_MS) * HOUR_MS;
  const seen: SoakFigures[] = [];
  log(FIGURES_HEAD);
  for (let look = 1; look <= LOOKS; look += 1) {
    const hour = Math.round((hours * look) / LOOKS);
    await delay(Math.max(0, clock.toReal(start + hour * HOUR_MS) - Date.now()));
    const figures = await figuresOf(site.first, { file, connection, hour });
    seen.push(figures);
    log(figuresRow(figures));
  }
  const wrong = await settle({ site, load, subscribers, everyHour: true });
  const { accepted, statuses } = load.memory;
  log(`${accepted.size} predictions accepted; answers ${JSON.stringify(Object.fromEntries(statuses))}`);
  log(
    `${subscribers.length} subscribers received ${subscribers[0]?.last} events, connecting ${connections(subscribers)}`,
  );
  const [middle, end] = [seen[LOOKS / 2 - 1], seen.at(-1)];
  const grown = middle && end ? growthFaults(middle, end) : ['There are no figures'];
  return [...wrong, ...grown, ...(wrong.length === 0 ? [] : [site.first.output().slice(-4000)])];
}

function connections(subscribers: readonly { readonly connections: number }[]): string {
  const most = Math.max(...subscribers.map((subscriber) => subscriber.connections));
  return most === 1 ? 'once each' : `up to ${most} times`;
}
