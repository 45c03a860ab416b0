import { audit } from './audit.ts';
import { textOf } from './json.ts';
import { recentRounds, sightingsOf } from './observations.ts';
import { nextRound, play, type Played, type PlayOptions } from './play.ts';
import { until } from './polling.ts';
import { dataFolder, startService, type Service, type ServiceOptions } from './service-process.ts';
import type { Client } from './http-client.ts';
import type { Recording } from './recording.ts';

const ALL_RECENT = 100;
const SETTLE_TIMEOUT = 60_000;

export interface Run {
  readonly recording: Recording;
  readonly exitCodes: readonly (number | null)[];
}

export interface RunOptions extends Omit<ServiceOptions, 'data'>, Omit<PlayOptions, 'client'> {
  /** What else is to be asked of the service once nothing moves any more. */
  readonly atRest?: (url: string) => Promise<void>;
}

/**
 * Plays on a fast clock, stops the service, and starts it again on its data with a clock of ordinary speed, so that
 * nothing moves while the final answers are read. The restart is part of what is tested: it has to catch up.
 */
export async function run(options: RunOptions): Promise<Run> {
  await using resources = new AsyncDisposableStack();
  const data = await dataFolder();
  resources.defer(() => data.remove());
  const start = async (clockSpeed: number): Promise<Service> => {
    const service = await startService({ ...options, data, clockSpeed });
    resources.defer(async () => {
      await service.stop();
    });
    return service;
  };

  const fast = await start(options.clockSpeed);
  const played = await play({ ...options, client: fast.client });
  await settle(fast.client, played);
  const stoppedIn = textOf(await nextRound(fast.client, undefined), 'start_time');
  const firstExit = await fast.stop();

  const slow = await start(1);
  const recording = await audit(slow.client, played, stoppedIn);
  await options.atRest?.(slow.url);
  return { recording, exitCodes: [firstExit, await slow.stop()] };
}

/** Waits until every round that the agents played is resolved or void, and goes on looking at the recent ones. */
function settle(client: Client, played: Played): Promise<true> {
  return until('every round that was played is resolved or void', SETTLE_TIMEOUT, async () => {
    played.sightings.push(...(await sightingsOf(client, ALL_RECENT)));
    const recent = await recentRounds(client, ALL_RECENT);
    const status = new Map(recent.map((round) => [round['id'], round['status']]));
    const last = played.learned.at(-1)?.['id'];
    const settled = played.learned.every(({ id = null }) => status.get(id) !== 'resolving');
    return settled && status.has(last ?? null) ? true : undefined;
  });
}
