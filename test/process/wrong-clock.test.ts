import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from 'pg';

import { until } from '../support/poll.ts';
import { processDatabase } from '../support/process-database.ts';
import { endOf, launch, type RunningService, type Settings } from '../support/process.ts';
import { scopedFolder } from '../support/own-folder.ts';

const SETTABLE_CLOCK = pathToFileURL(join(import.meta.dirname, '../support/settable-clock.ts'));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** More than a request takes on a busy machine. */
const NEARLY = 20_000;

let closing: AsyncDisposableStack;
let database: Client;
let settings: Settings;
let offsetFile: string;

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  const made = closing.use(await processDatabase());
  database = made.client;
  const folder = closing.use(await scopedFolder());
  offsetFile = join(folder.path, 'offset');
  settings = {
    ...made.settings,
    NODE_OPTIONS: `--import=${SETTABLE_CLOCK.href}`,
    CLOCK_OFFSET_FILE: offsetFile,
  };
});

afterEach(() => closing.disposeAsync());

/** A start on a machine whose clock is off by `ms`, when that goes well. */
async function start(ms = 0): Promise<RunningService> {
  return closing.use(await launch({ ...settings, CLOCK_OFFSET_MS: String(ms) }));
}

/** By how much the service's time is ahead of the right one. */
async function ahead(service: RunningService): Promise<number> {
  return Date.parse((await service.get('/api/health')).body.timestamp) - Date.now();
}

/** All that a start could have written. */
async function everything(): Promise<readonly unknown[]> {
  const { rows } = await database.query(
    `select (select jsonb_agg(p) from platform p) as platform, (select jsonb_agg(e order by seq) from events e) as events,
       (select jsonb_agg(r order by id) from rounds r) as rounds`,
  );
  return rows;
}

async function newestEvent(): Promise<string> {
  const { rows } = await database.query<{ at: Date }>('select at from events order by seq desc limit 1');
  return rows[0]?.at.toISOString() ?? '';
}

async function anchor(): Promise<readonly unknown[]> {
  const { rows } = await database.query('select clock_real_at, clock_service_at, clock_speed from platform');
  return rows;
}

test('a start 30 h behind is refused with both times, before any write, without lasting effect', async () => {
  const first = await start();
  await until('a round', async () => (await first.get('/api/rounds/current')).body.round);
  expect(await first.end()).toMatchObject({ code: 0 });
  const before = await everything();

  const { code, stderr } = await endOf({ ...settings, CLOCK_OFFSET_MS: String(-30 * HOUR) });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The machine's clock shows \S+Z, which is more than 5 minutes behind .+\n$/);
  expect(stderr).toContain(`newest event of ${await newestEvent()}:`);
  expect(await everything()).toEqual(before);

  const next = await start();
  expect(Math.abs(await ahead(next))).toBeLessThan(NEARLY);
});

test('a start that is ahead over an hour’s edge shifts no later one', async () => {
  await (await start()).end();
  const made = await anchor();
  const toEdge = HOUR - (Date.now() % HOUR);
  const wrong = toEdge + 10 * MINUTE;
  const early = await start(wrong);
  await until('the next hour’s round', async () => (await early.get('/api/rounds/current')).body.round);
  expect(await early.end()).toMatchObject({ code: 0 });

  const { code, stderr } = await endOf(settings);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`newest event of ${await newestEvent()}:`)]);
  const later = await start(wrong + MINUTE);
  expect(Math.abs((await ahead(later)) - wrong - MINUTE)).toBeLessThan(NEARLY);
  expect(await anchor()).toEqual(made);
});

test('a clock ahead by hours or days for seconds shifts neither service time nor the next start', async () => {
  const first = await start();
  const set = async (offset: number, noticed: string): Promise<void> => {
    await writeFile(offsetFile, String(offset));
    first.child.kill('SIGUSR2');
    await until('the service has noticed', async () => {
      expect(Math.abs(await ahead(first))).toBeLessThan(NEARLY);
      return (await (await fetch(`${first.url}/metrics`)).text()).includes(
        `hourcast_clock_steps_total{result=${noticed}`,
      );
    });
  };
  const { round } = (await first.get('/api/rounds/current')).body;
  for (const [index, hours] of [3, 25, 31 * 24].entries()) {
    await set(hours * HOUR, `"suspected"} ${index + 1}`);
    await set(0, `"ignored"} ${index + 1}`);
  }
  const { stdout } = await first.end();
  const glitch = [
    'clock was set forward; service time follows if the new time holds for a minute',
    'clock was set right again before service time followed the change',
  ];
  expect(stdout.match(/clock was set [^"]+/g)).toEqual([...glitch, ...glitch, ...glitch]);
  const next = await start();
  expect(Math.abs(await ahead(next))).toBeLessThan(NEARLY);
  const { rows } = await database.query(`select id from rounds where status = 'void' or id > $1 + 2`, [round.id]);
  expect(rows).toEqual([]);
});
