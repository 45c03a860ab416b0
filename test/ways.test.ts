import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { type Player, predict, register } from './support/agents.ts';
import { currentRound } from './support/rounds.ts';
import { startService, type TestService } from './support/service.ts';
import { hear, socketClient } from './support/socket-client.ts';
import { statedWays } from './support/stated-ways.ts';

/*
 * The counts of ARCHITECTURE.md: the files of src in which a function runs from a request to its answer, or from an hour's
 * edge to a subscriber. Whoever follows such a way passes through no more of them.
 */

const ROOT = join(import.meta.dirname, '..');
const SOURCES = pathToFileURL(join(ROOT, 'src/')).href;
const STATED = statedWays(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'));

let service: TestService;
let players: readonly Player[];
const session = new Session();

beforeAll(async () => {
  service = await startService();
  players = [await register(service, 'first'), await register(service, 'second')];
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});

afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  await service.stop();
});

/** The files of src in which a function ran during `work`. */
async function enteredBy(work: () => Promise<unknown>): Promise<string[]> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url, functions }) => url.startsWith(SOURCES) && functions.some(hasRun))
    .map(({ url }) => url.slice(SOURCES.length));
}

/** The function without a name is the module itself, which runs when it is loaded. */
function hasRun({ functionName, ranges }: { functionName: string; ranges: readonly { count: number }[] }): boolean {
  return functionName !== '' && ranges.some(({ count }) => count > 0);
}

function expectAsStated(way: string, { files, through }: { files: string[]; through: string }): void {
  expect(files).toContain(through);
  const max = STATED.get(way) ?? 0;
  expect({ way, beyond: files.length > max ? files : [] }).toEqual({ way, beyond: [] });
}

test('a submission', async () => {
  const [first, second] = players;
  if (first === undefined || second === undefined) throw new Error('Two players must have registered');
  const { id, choices } = await currentRound(service);
  await predict(service, first, { prediction: choices[0], confidence: 80 });
  const body = { round_id: id, prediction: choices[1], confidence: 80 };
  const files = await enteredBy(() => service.request('POST', '/api/predictions', { key: second.key, body }));
  expectAsStated('`POST /api/predictions`', { files, through: 'resolvers/prediction-writer.ts' });
  expect(files).toContain('rest/quick-endpoints.ts');
});

test('the own profile', async () => {
  const files = await enteredBy(() => service.request('GET', '/api/me', { key: players[0]?.key }));
  expect(files).toContain('rest/quick-endpoints.ts');
});

test('a round, to a subscriber', async () => {
  await using heard = hear(socketClient(service.url), 'subscription { events { seq kind round { outcome } } }');
  await heard.first(1);
  const files = await enteredBy(async () => {
    await service.nextHour();
    await heard.first(6);
  });
  expectAsStated('an hour, to a subscriber', { files, through: 'feed/frames.ts' });
});

test('the leaderboard by GraphQL', async () => {
  const query = '{ leaderboard(period: daily) { rankings { agent { name calibration { brier } } } } }';
  const ask = () => service.request('POST', '/graphql', { body: { query } });
  // The first is Apollo's, the second compiles the document.
  for (let time = 0; time < 2; time += 1) await ask();
  service.tell('entries');
  expectAsStated('a leaderboard query', { files: await enteredBy(ask), through: 'reads/calibration.ts' });
  expectAsStated('a document that is kept ready', {
    files: await enteredBy(ask),
    through: 'graphql/kept-documents.ts',
  });
});

test('the leaderboard from bytes kept ready', async () => {
  await service.request('GET', '/api/leaderboard');
  const files = await enteredBy(() => service.request('GET', '/api/leaderboard'));
  expectAsStated('a public GET that is kept ready', { files, through: 'rest/quick-answers.ts' });
});
