import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { startApp } from '../src/app/app.ts';
import { readConfig, secretsOf } from '../src/config.ts';
import { makeLogger } from '../src/logger.ts';
import { HOUR } from '../src/rules/hours.ts';
import { predict, register } from '../test/support/agents.ts';
import { startTestCluster } from '../test/support/cluster.ts';
import { preparedDataFolder } from '../test/support/data-folder.ts';
import { currentRound } from '../test/support/rounds.ts';
import { startService, type TestService } from '../test/support/service.ts';
import { receive, socketClient } from '../test/support/socket-client.ts';

/*
 * The number of files of src with a function that runs on a call path. The paths lead from a request to its answer, from an hour's edge to a
 * subscriber, from the settings to a listening service. `npm run measure:house` prints them; nothing limits them.
 */

const SOURCES = pathToFileURL(join(import.meta.dirname, '..', 'src/')).href;

/** On a busy machine background work runs in several repetitions. */
const TIMES = 8;

/** Files of the start itself; others prepare for the first request. */
const OF_THE_START = /^(app|backplane|database)\/|^[\w-]+\.ts$/;

/** The hour determines the first questions, and so the rules they need. */
const SETTINGS = { PORT: '0', MARKET: 'simulated', CLOCK_START: '2026-01-01T12:10:00Z', LOG_LEVEL: 'silent' };

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await using _cluster = await startTestCluster();
const counts = { ...(await pathsOfRequests()), ...(await pathsOfAStart()) };
process.stdout.write(`${JSON.stringify(counts)}\n`);

async function pathsOfRequests(): Promise<Record<string, number>> {
  // No pings, and no recomputed answers on a slow machine.
  const service = await startService({ intervals: { pingMs: HOUR }, keeping: { ms: HOUR } });
  try {
    const submission = await filesOfSubmission(service);
    const query = '{ leaderboard(period: daily) { rankings { agent { name calibration { brier } } } } }';
    const ask = () => service.request('POST', '/graphql', { body: { query } });
    await ask();
    // A change invalidates the cached answer.
    const executed = await enteredEachTime(times(ask), () => service.tell('entries'));
    const kept = await enteredEachTime(times(ask));
    const get = () => service.request('GET', '/api/leaderboard');
    await get();
    return {
      'POST /api/predictions': submission,
      'GET /api/leaderboard, kept': (await enteredEachTime(times(get))).length,
      'a board by GraphQL, kept': kept.length,
      'a board by GraphQL, executed': executed.length,
      'an hour, to a subscriber': await filesOfAnHour(service),
    };
  } finally {
    await service.stop();
  }
}

async function filesOfSubmission(service: TestService): Promise<number> {
  const names = Array.from({ length: 1 + TIMES }, (_, index) => `player-${index}`);
  const [first, ...others] = await Promise.all(names.map((name) => register(service, name)));
  if (first === undefined) throw new Error('Players must have registered');
  const { id, choices } = await currentRound(service);
  await predict(service, first, { prediction: choices[0], confidence: 80 });
  const body = { round_id: id, prediction: choices[1], confidence: 80 };
  const submissions = others.map(
    ({ key }) =>
      () =>
        service.request('POST', '/api/predictions', { key, body }),
  );
  return (await enteredEachTime(submissions)).length;
}

async function filesOfAnHour(service: TestService): Promise<number> {
  await using received = receive(socketClient(service.url), 'subscription { events { seq kind round { outcome } } }');
  await received.first(1);
  const hours = [6, 11, 16].map((events) => async () => {
    await service.nextHour();
    await received.first(events);
  });
  return (await enteredEachTime(hours)).length;
}

async function pathsOfAStart(): Promise<Record<string, number>> {
  await using folder = await preparedDataFolder();
  await using stack = new AsyncDisposableStack();
  const entered = await enteredBy(async () => {
    const config = readConfig({ ...SETTINGS, DATA_DIR: folder.path });
    const log = makeLogger(config.logLevel, { write() {} }, secretsOf(config));
    const app = await startApp(config, log, new AbortController().signal);
    stack.defer(() => app.stop());
  });
  // Runs only in its own process.
  const files = ['main.ts', ...entered];
  return {
    'a start, but for the insides of the parts': files.filter((file) => OF_THE_START.test(file)).length,
    'a start': files.length,
  };
}

/** Files with a function that ran during `work` and not before. */
async function enteredBy(work: () => Promise<unknown>, before: () => void = () => {}): Promise<string[]> {
  before();
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url, functions }) => url.startsWith(SOURCES) && functions.some(hasRun))
    .map(({ url }) => url.slice(SOURCES.length));
}

/** Only files that ran each time, which excludes background work such as polling the log. */
async function enteredEachTime(works: readonly (() => Promise<unknown>)[], before?: () => void): Promise<string[]> {
  const entered: string[][] = [];
  for (const work of works) entered.push(await enteredBy(work, before));
  return (entered[0] ?? []).filter((file) => entered.every((files) => files.includes(file)));
}

/** The unnamed function is the module itself, which runs when it is loaded. */
function hasRun({ functionName, ranges }: { functionName: string; ranges: readonly { count: number }[] }): boolean {
  return functionName !== '' && ranges.some(({ count }) => count > 0);
}

function times<Work>(work: Work): readonly Work[] {
  return Array.from({ length: TIMES }, () => work);
}
