import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startApp } from '../src/app/app.ts';
import { readConfig, secretsOf } from '../src/config.ts';
import { makeLogger } from '../src/logger.ts';
import { HOUR } from '../src/rules/hours.ts';
import { type Player, predict, register } from './support/agents.ts';
import { preparedDataFolder } from './support/data-folder.ts';
import { currentRound } from './support/rounds.ts';
import { startService, type TestService } from './support/service.ts';
import { hear, socketClient } from './support/socket-client.ts';
import { statedWays } from './support/stated-ways.ts';

/*
 * The counts of ARCHITECTURE.md: the files of src in which a function runs from a request to its answer, from an hour's edge
 * to a subscriber, or from the settings to a service that listens. Whoever follows such a way passes through no more of them.
 */

const ROOT = join(import.meta.dirname, '..');
const SOURCES = pathToFileURL(join(ROOT, 'src/')).href;
const STATED = statedWays(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'));

/** A machine that is busy lets what the service does by itself run in several of them. */
const TIMES = 8;

let service: TestService;
let players: readonly Player[];
const session = new Session();

beforeAll(async () => {
  // Pings belong to no way, and neither does an answer that is made anew because the machine took long to ask for it again.
  service = await startService({ intervals: { pingMs: HOUR }, keeping: { ms: HOUR } });
  players = await Promise.all(Array.from({ length: 1 + TIMES }, (_, index) => register(service, `player-${index}`)));
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});

afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  await service.stop();
});

/** The files of src in which a function ran during `work`, not in what came before it. */
async function enteredBy(work: () => Promise<unknown>, before: () => void = () => {}): Promise<string[]> {
  before();
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url, functions }) => url.startsWith(SOURCES) && functions.some(hasRun))
    .map(({ url }) => url.slice(SOURCES.length));
}

/** The files in which one ran each time: what the service does by itself in between, such as its look at the log, is left out. */
async function enteredEachTime(works: readonly (() => Promise<unknown>)[], before?: () => void): Promise<string[]> {
  const entered: string[][] = [];
  for (const work of works) entered.push(await enteredBy(work, before));
  return (entered[0] ?? []).filter((file) => entered.every((files) => files.includes(file)));
}

/** The function without a name is the module itself, which runs when it is loaded. */
function hasRun({ functionName, ranges }: { functionName: string; ranges: readonly { count: number }[] }): boolean {
  return functionName !== '' && ranges.some(({ count }) => count > 0);
}

function times<Work>(work: Work): readonly Work[] {
  return Array.from({ length: TIMES }, () => work);
}

function getBoard(): Promise<unknown> {
  return service.request('GET', '/api/leaderboard');
}

function expectAsStated(way: string, { files, through }: { files: string[]; through: string }): void {
  expect(files).toContain(through);
  const max = STATED.get(way) ?? 0;
  expect({ way, beyond: files.length > max ? files : [] }).toEqual({ way, beyond: [] });
}

test('a submission', async () => {
  const [first, ...others] = players;
  if (first === undefined) throw new Error('Players must have registered');
  const { id, choices } = await currentRound(service);
  await predict(service, first, { prediction: choices[0], confidence: 80 });
  const body = { round_id: id, prediction: choices[1], confidence: 80 };
  const files = await enteredEachTime(
    others.map(
      ({ key }) =>
        () =>
          service.request('POST', '/api/predictions', { key, body }),
    ),
  );
  expectAsStated('`POST /api/predictions`', { files, through: 'resolvers/prediction-writer.ts' });
});

test('a round, to a subscriber', async () => {
  await using heard = hear(socketClient(service.url), 'subscription { events { seq kind round { outcome } } }');
  await heard.first(1);
  const files = await enteredEachTime(
    [6, 11, 16].map((events) => async () => {
      await service.nextHour();
      await heard.first(events);
    }),
  );
  expectAsStated('an hour, to a subscriber', { files, through: 'feed/frames.ts' });
});

test('the leaderboard by GraphQL', async () => {
  const query = '{ leaderboard(period: daily) { rankings { agent { name calibration { brier } } } } }';
  const ask = () => service.request('POST', '/graphql', { body: { query } });
  // The first is Apollo's.
  for (let time = 0; time < 2; time += 1) await ask();
  // A change makes the answer that is kept void.
  const executed = await enteredEachTime(times(ask), () => service.tell('entries'));
  expectAsStated('a leaderboard query', { files: executed, through: 'reads/calibration.ts' });
  const kept = await enteredEachTime(times(ask));
  expectAsStated('a document that is kept ready', { files: kept, through: 'graphql/handler.ts' });
});

test('the leaderboard from bytes kept ready', async () => {
  await getBoard();
  const files = await enteredEachTime(times(getBoard));
  expectAsStated('a public GET that is kept ready', { files, through: 'rest/handler.ts' });
});

/** What of a start is its own way: the others make a part that waits for its first request. */
const OF_THE_START = /^(app|backplane|database)\/|^[\w-]+\.ts$/;

/** What the first questions ask, and so which rules they need, follows from the hour. */
const SETTINGS = { PORT: '0', MARKET: 'simulated', CLOCK_START: '2026-01-01T12:10:00Z', LOG_LEVEL: 'silent' };

test('a start with an empty database', async () => {
  await using folder = await preparedDataFolder();
  await using stack = new AsyncDisposableStack();
  const entered = await enteredBy(async () => {
    const config = readConfig({ ...SETTINGS, DATA_DIR: folder.path });
    const log = makeLogger(config.logLevel, { write() {} }, secretsOf(config));
    const app = await startApp(config, log, new AbortController().signal);
    stack.defer(() => app.stop());
  });
  // Nobody but a process of its own can run it.
  const files = ['main.ts', ...entered];
  expectAsStated('a start', { files, through: 'app/assemble.ts' });
  const own = files.filter((file) => OF_THE_START.test(file));
  expectAsStated('a start, but for the insides of the parts', { files: own, through: 'database/pools.ts' });
});
