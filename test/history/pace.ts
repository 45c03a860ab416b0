import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { DataFolder } from '../support/data-folder.ts';
import type { RunningService, Settings } from '../support/process.ts';
import { serviceClock, type ServiceClock } from '../support/service-clock.ts';
import { snapshot } from '../support/snapshot.ts';
import { HOUR } from './hours.ts';

const PACED_CLOCK = pathToFileURL(join(import.meta.dirname, '../support/paced-clock.ts'));
/** How much of an hour passes before the agents have to be done with it. */
const RUN_OF_HOUR = 0.75;
/** How much later the next process starts than the first one's time stood: two hours went by, a third has begun. */
const DOWN_HOURS = 2.5;

/** The clock of a service under test, which waits for its agents: no hour passes before they have played it. */
export interface Pace {
  /** What the service is started with. */
  readonly settings: Settings;
  /** Lets the service's time run into this hour, and stand still before its end. */
  runInto(service: RunningService, hour: number): Promise<void>;
  /** What the next process is started with, some hours later: its time stands until `letGo`. */
  settingsOfRestart(): Settings;
  /** Lets the service's time run on without a stop. */
  letGo(service: RunningService): Promise<void>;
}

/** The pace of the service on `data`. */
export function paceOf(data: DataFolder): Pace {
  const file = join(dirname(data.path), 'clock-limit');
  const settings = { NODE_OPTIONS: `--import=${PACED_CLOCK.href}`, CLOCK_LIMIT_FILE: file };
  let clock: ServiceClock | undefined;
  let limit = 0;
  const runUntil = async ({ child }: RunningService, real: number): Promise<void> => {
    await writeFile(file, String(real));
    child.kill('SIGUSR2');
  };
  return {
    settings,
    async runInto(service, hour) {
      clock ??= await clockOf(data);
      limit = (hour + RUN_OF_HOUR) * HOUR;
      await runUntil(service, clock.toReal(limit));
    },
    settingsOfRestart() {
      if (clock === undefined) throw new Error('The service’s time has not run yet');
      return { ...settings, CLOCK_BEGINS_AT: String(Math.ceil(clock.toReal(limit + DOWN_HOURS * HOUR))) };
    },
    letGo: (service) => runUntil(service, Number.POSITIVE_INFINITY),
  };
}

async function clockOf(data: DataFolder): Promise<ServiceClock> {
  const connection = await data.connection();
  const clock = connection && (await snapshot(connection, serviceClock));
  if (!clock) throw new Error(`The service on ${data.path} keeps no clock`);
  return clock;
}
