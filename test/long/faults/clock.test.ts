import { expect, test } from '@jest/globals';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { databaseUrl } from '../../support/process.ts';
import { arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { started } from '../../support/deployment.ts';
import { snapshot } from '../../support/snapshot.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { sharedDatabase, sharedDisposable } from '../../support/shared.ts';

const SPEED = 2_400;
const SETTABLE_CLOCK = pathToFileURL(join(import.meta.dirname, '../../support/settable-clock.ts'));

const database = sharedDatabase();
const folder = sharedDisposable(() => mkdtempDisposable(join(tmpdir(), 'hourcast-clock-')));
const service = sharedDisposable(() =>
  started({
    CLOCK_SPEED: String(SPEED),
    DATABASE_URL: databaseUrl(database.connection),
    NODE_OPTIONS: `--import=${SETTABLE_CLOCK.href}`,
    CLOCK_OFFSET_FILE: join(folder.path, 'offset'),
  }),
);
const arena = sharedDisposable(() =>
  arenaUnderFault({
    urls: service.urls,
    connection: async () => database.connection,
    speed: SPEED,
    seed: 13,
    clockIsSteady: false,
  }),
);

/** Sets the machine's clock, as the service sees it, to `ms` beside the real time; waits until it has noticed. */
async function set(ms: number): Promise<void> {
  const notices = () => service.first.output().match(/clock was set/g)?.length ?? 0;
  const before = notices();
  await writeFile(join(folder.path, 'offset'), String(ms));
  service.first.signal('SIGUSR2');
  await untilDespiteFaults('the service says that the clock was set', () => notices() > before);
}

/** Rounds that were opened more than once, and predictions that were taken outside their round. */
async function oddities(): Promise<readonly object[]> {
  return snapshot(database.connection, async (ask) => [
    ...(await ask(`select round_id, kind, count(*) from events where round_id is not null and kind <> 'ADMIN_ACTION'
      and kind not in ('TIER_CHANGED', 'LEADERBOARD_CHANGED', 'FORECAST') group by round_id, kind having count(*) > 1`)),
    ...(await ask(`select p.id from predictions p join rounds r on r.id = p.round_id
      where p.submitted_at < r.start_time or p.submitted_at >= r.end_time`)),
    ...(await ask(`select a.id from rounds a join rounds b on b.id > a.id and b.start_time <= a.start_time`)),
  ]);
}

/** Rounds that were given up since the service took it to be a day later. */
function roundsWithoutPrices(): Promise<readonly object[]> {
  return snapshot(database.connection, (ask) => ask(`select id from rounds where void_reason = 'no_prices'`));
}

test.each([
  ['set forward by 5 s, which are 3 h 20 min of service time', 5_000],
  ['set back by 8 s, which are 5 h 20 min of service time', -3_000],
  ['set forward to the right time', 0],
])('no round opens twice, and all predictions are in time, with a clock %s', async (name, offset) => {
  await arena.undergo({ name: `machine’s clock ${name}`, happen: () => set(offset) });
  expect(await oddities()).toEqual([]);
});

test.each([
  ['3 h', 180],
  ['31 days', 44_640],
])('a clock ahead by %s for seconds of load changes nothing', async (name, minutes) => {
  await arena.undergo({
    name: `machine’s clock ahead by ${name} for some seconds`,
    happen: async (during) => {
      await set(minutes * 60_000);
      const before = during.countOf(200);
      await untilDespiteFaults('the load goes on', () => during.countOf(200) > before + 20);
      await set(0);
    },
  });
  expect(await oddities()).toEqual([]);
  expect(await roundsWithoutPrices()).toEqual([]);
});
