import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { localBus } from '../../src/backplane/local.ts';
import { DAY, HOUR, SECOND } from '../../src/rules/hours.ts';
import { OWN_FIELDS } from '../../src/resolvers/agents.ts';
import { LIMITS } from '../../src/limits.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { decide } from '../support/outcomes.ts';
import { type CurrentRound, startOf } from '../support/rounds.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { type RequestOptions, startService, type TestService } from '../support/service.ts';

const STEPS = 40;
/** How many addresses are asked before and after each step. */
const ASKED = 9;
const DOCUMENTS_ASKED = 3;
const TOKEN = 'kept-answers-token-0123456789abcdef';
const SEED = 20_260_101;

/** Two processes on one database: one keeps its answers for as long as nothing tells it otherwise, the other keeps none. */
interface Pair {
  readonly keeping: TestService;
  readonly fresh: TestService;
  readonly keys: string[];
  readonly rounds: Set<number>;
  readonly random: Seeded;
}

type Step = (pair: Pair, service: TestService) => Promise<unknown>;

const NEXT = { names: 0 };

async function ask(service: TestService, method: string, path: string, options: RequestOptions = {}) {
  const headers = { authorization: `Bearer ${TOKEN}`, ...options.headers };
  return service.request(method, path, path.startsWith('/admin') ? { ...options, headers } : options);
}

async function runningRound({ fresh, rounds }: Pair): Promise<CurrentRound | null> {
  const { body } = await fresh.request('GET', '/api/rounds/current');
  if (body.round !== null) rounds.add(body.round.id);
  return body.round;
}

async function registers(pair: Pair, service: TestService, mode: string): Promise<void> {
  NEXT.names += 1;
  const { body } = await ask(service, 'POST', '/api/agents/register', { body: { name: `agent-${NEXT.names}`, mode } });
  pair.keys.push(body.api_key);
}

function setClocks({ keeping, fresh }: Pair, ms: number): void {
  const now = new Date(keeping.clock.now().getTime() + ms);
  for (const { clock } of [keeping, fresh]) clock.set(now);
}

/** Scripts how the running round ends: by an answer, or with no prices at all. */
async function plays(pair: Pair): Promise<void> {
  const round = await runningRound(pair);
  if (round === null) return;
  const answer = pair.random.chance(0.8) ? pair.random.pick(round.choices) : null;
  for (const { market } of [pair.keeping, pair.fresh]) {
    for (const asset of answer === null ? ASSETS : []) market.script(asset, startOf(round), null);
  }
  if (answer !== null) for (const service of [pair.keeping, pair.fresh]) decide(service, round, answer);
}

/** Whatever changes what others read; each is done by one of the two processes. */
const CHANGING: readonly Step[] = [
  (pair, service) => registers(pair, service, 'compete'),
  (pair, service) => registers(pair, service, 'spectate'),
  async (pair, service) => {
    const round = await runningRound(pair);
    if (round === null || pair.keys.length === 0) return;
    const { random } = pair;
    const fields = { prediction: random.pick(round.choices), confidence: random.between(0, 100) };
    await ask(service, 'POST', '/api/predictions', {
      key: random.pick(pair.keys),
      body: { round_id: round.id, ...fields },
    });
  },
  async ({ keys, random }, service) => {
    if (keys.length > 0) await ask(service, 'POST', '/api/me/activate', { key: random.pick(keys) });
  },
  async (pair) => setClocks(pair, pair.random.pick([1, 999, SECOND, 59 * SECOND])),
  async (pair) => setClocks(pair, HOUR),
  async (pair, service) => {
    await plays(pair);
    setClocks(pair, HOUR - (pair.keeping.clock.now().getTime() % HOUR));
    await service.turn();
  },
  (_pair, service) => service.turn(),
  async (pair, service) => {
    const action = pair.random.pick(['void', 'retry', 'resolve']);
    const id = pair.random.pick([...pair.rounds]);
    await ask(service, 'POST', `/admin/rounds/${id}/${action}`, { body: { reason: 'It was asked for.' } });
  },
  async (pair, service) => {
    if (!pair.random.chance(0.1)) return;
    setClocks(pair, 31 * DAY);
    await service.turn();
  },
];

/** Predictions are made more often than all else, and by the one process more often than by the other. */
function nextStep(pair: Pair): Promise<unknown> {
  const { random } = pair;
  const step = random.chance(0.3) ? CHANGING[2] : random.pick(CHANGING);
  return step?.(pair, random.chance(0.7) ? pair.keeping : pair.fresh) ?? Promise.resolve();
}

/** Of each field of Query whose answers are kept, with what hangs on it. */
const DOCUMENTS = [
  '{ currentRound { id question status totalEntries timeRemainingSeconds predictions(first: 3) { nodes { id agent { name mode } } } } }',
  '{ nextRound { id question startTime } schedule(hours: 2) { startTime questionType } }',
  '{ round(id: 1) { status outcome results(limit: 3) { agentName score } entries(limit: 3) { id prediction } } }',
  '{ rounds(first: 3) { nodes { id status totalEntries crowd { answer } assets { symbol returnPct } } } }',
  '{ predictions(first: 5) { nodes { id confidence score round { status } agent { name totalPoints } } } }',
  '{ agent(id: 1) { name credentialTier predictions(first: 3) { nodes { id score } } standing(period: weekly) { rank } } }',
  '{ agents(first: 5, orderBy: POINTS) { nodes { name mode roundsCompeted } } }',
  '{ leaderboard(period: daily, limit: 5) { updatedAt rankings { rank name totalPoints agent { currentStreak } } } }',
  '{ candles(asset: BTC, hours: 2) { startTime closeUsd } leaderboardArchive(period: "2026-01-01") { agents } }',
  '{ stats { totalAgents totalPredictions activeEntries topAgent } market { source assets { symbol priceUsd } } }',
];

/** All kept endpoints, of rounds and agents that there are and that there are not; what an agent sees of itself with its key. */
function addresses({ rounds, keys, random }: Pair): string[] {
  const ids = [...rounds].slice(-3).concat(random.pick([...rounds, 0]), Math.max(0, ...rounds) + 1);
  return [
    '/api/rounds/current',
    '/api/stats',
    '/api/data/market',
    '/api/rounds/recent',
    '/api/rounds/recent?limit=3',
    '/api/leaderboard?period=alltime',
    `/api/leaderboard?period=${random.pick(['daily', 'weekly', 'monthly'])}&limit=${random.between(1, 3)}`,
    ...ids.flatMap((id) =>
      ['results', 'entries', 'evidence', 'entries?limit=2'].map((list) => `/api/rounds/${id}/${list}`),
    ),
    ...[1, random.between(1, keys.length + 1), keys.length].map((id) => `/api/agents/${id}`),
    ...(keys.length === 0 ? [] : [random.pick(keys), random.pick(keys)].map((key) => `${key} /api/me`)),
  ];
}

/** Some of these addresses, and some documents. */
function someOf({ random }: Pair, paths: readonly string[]): readonly string[] {
  const documents = Array.from({ length: DOCUMENTS_ASKED }, () => random.pick(DOCUMENTS));
  return paths
    .map((path) => ({ path, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .slice(0, ASKED)
    .map(({ path }) => path)
    .concat(documents);
}

/** What an address with a key before it, `key /path`, answers to who has it, a document and any other address to everybody. */
async function shown(service: TestService, address: string) {
  if (address.startsWith('{')) {
    const { status, body } = await service.request('POST', '/graphql', { body: { query: address } });
    return { status, body };
  }
  const [path = '', key] = address.split(' ').toReversed();
  const { status, body, headers } = await service.request('GET', path, { key });
  return { status, body, etag: headers.get('etag'), length: headers.get('content-length') };
}

describe('after random changes', () => {
  let database: TestDatabase;
  let pair: Pair;
  beforeAll(async () => {
    database = await createTestDatabase();
    const same = { database, bus: localBus(), adminToken: TOKEN };
    const keeping = await startService({ ...same, keeping: { ms: DAY } });
    const fresh = await startService({ ...same, keeping: { bytes: 0 } });
    pair = { keeping, fresh, keys: [], rounds: new Set(), random: seeded(SEED) };
  });
  afterAll(async () => {
    await pair.keeping.stop();
    await pair.fresh.stop();
    await database.drop();
  });

  test('cached answers equal fresh ones', async () => {
    const { keeping, fresh } = pair;
    const statuses = new Set<number>();
    await runningRound(pair);
    // A document is kept from the second time on.
    for (const document of DOCUMENTS) await shown(keeping, document);
    for (let step = 0; step < STEPS; step += 1) {
      const paths = someOf(pair, addresses(pair));
      for (const path of paths) await shown(keeping, path);
      await nextStep(pair);
      for (const path of paths) {
        const [kept, anew] = [await shown(keeping, path), await shown(fresh, path)];
        statuses.add(anew.status);
        expect({ step, path, ...kept }).toEqual({ step, path, ...anew });
      }
      await runningRound(pair);
    }
    expect(statuses).toEqual(new Set([200, 400, 404]));
    expect([...keeping.reported, ...fresh.reported]).toEqual([]);
  });
});

describe('a cached row', () => {
  const all = ENDPOINTS.filter(({ cached }) => cached !== undefined);
  const rows = all.filter(({ cached }) => cached?.for === 'everybody');

  test('every cached row is a GET', () => {
    expect(rows.length).toBeGreaterThan(7);
    expect(all.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a row is cached per agent exactly if it needs a key', () => {
    expect(all.filter((row) => !rows.includes(row))).toEqual(
      all.filter(({ limit }) => LIMITS[limit].scope === 'agent'),
    );
  });

  test('a document cached for all selects no field of its caller', () => {
    const own = [...OWN_FIELDS].map((field) => field.split('.')[1] ?? '');
    expect(own.length).toBeGreaterThan(2);
    expect(rows.flatMap(({ document }) => own.filter((name) => new RegExp(`\\b${name}\\b`).test(document)))).toEqual(
      [],
    );
  });
});
