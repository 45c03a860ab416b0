import { audit } from './audit.ts';
import { textOf } from './json.ts';
import { recentRounds, sightingsOf } from './observations.ts';
import { nextRound, play, type Played, type PlayOptions } from './play.ts';
import { until } from '../support/poll.ts';
import { dataFolder } from '../support/data-folder.ts';
import { launch, type RunningService, type Settings } from '../support/process.ts';
import { httpClient, type Client } from './http-client.ts';
import { hourOf } from './hours.ts';
import { paceOf } from './pace.ts';
import type { Recording } from './recording.ts';

const ALL_RECENT = 100;

export interface Run {
  readonly recording: Recording;
  readonly exitCodes: readonly (number | null)[];
}

export interface RunOptions extends Omit<PlayOptions, 'client' | 'onPlayed'> {
  /** A folder of candles. */
  readonly market: string;
  readonly clockStart: string;
  readonly clockSpeed: number;
  /** What else is to be asked of the service once nothing moves any more. */
  readonly atRest?: (url: string) => Promise<void>;
}

/**
 * Plays on a fast clock, stops the service, and starts it again on its data with a clock of ordinary speed, so that
 * nothing moves while the final answers are read. The restart is part of what is tested: it has to catch up.
 */
export async function run(options: RunOptions): Promise<Run> {
  await using resources = new AsyncDisposableStack();
  const data = resources.use(await dataFolder());
  const pace = paceOf(data);
  const start = async (clockSpeed: number, clock: Settings): Promise<RunningService> =>
    resources.use(
      await launch({
        DATA_DIR: data.path,
        MARKET: `replay:${options.market}`,
        CLOCK_START: options.clockStart,
        CLOCK_SPEED: String(clockSpeed),
        ...clock,
      }),
    );

  const fast = await start(options.clockSpeed, pace.settings);
  const fastClient = httpClient(fast.url);
  await pace.runInto(fast, hourOf(options.clockStart));
  const onPlayed = (hour: number): Promise<void> => pace.runInto(fast, hour + 1);
  const played = await play({ ...options, client: fastClient, onPlayed });
  await settle(fastClient, played);
  const stoppedIn = textOf(await nextRound(fastClient, undefined), 'start_time');
  const { code: fastCode } = await fast.end();

  const slow = await start(1, pace.settingsOfRestart());
  await pace.letGo(slow);
  const recording = await audit(httpClient(slow.url), played, stoppedIn);
  await options.atRest?.(slow.url);
  const { code: slowCode } = await slow.end();
  return { recording, exitCodes: [fastCode, slowCode] };
}

/** Waits until every round that the agents played is resolved or void, and goes on looking at the recent ones. */
function settle(client: Client, played: Played): Promise<true> {
  return until('every round that was played is resolved or void', async () => {
    played.sightings.push(...(await sightingsOf(client, ALL_RECENT)));
    const recent = await recentRounds(client, ALL_RECENT);
    const status = new Map(recent.map((round) => [round['id'], round['status']]));
    const last = played.learned.at(-1)?.['id'];
    const settled = played.learned.every(({ id = null }) => status.get(id) !== 'resolving');
    return settled && status.has(last ?? null) ? true : null;
  });
}
