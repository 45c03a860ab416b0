import { beforeAll, expect, test } from '@jest/globals';

import { withClient } from '../../src/database/connection.ts';
import { type Player, predict, register, registerMany } from '../support/agents.ts';
import { until } from '../support/poll.ts';
import { currentRound } from '../support/rounds.ts';
import type { Answer } from '../support/service.ts';
import { replicatedPostgres } from './replicated-postgres.ts';
import { sharedDisposable, sharedService } from '../support/shared.ts';

/** Of submissions, of what agents do about themselves, and the hour's turn. */
const MOST_BACKENDS = 3 + 2 + 1;
const WAVES = 2;
const IN_A_WAVE = 20;

const postgres = sharedDisposable(replicatedPostgres);
const service = sharedService(() => ({
  database: { connection: postgres.primary.connection, drop: async () => {} },
  logLevel: 'info',
}));
let players: readonly Player[];
let known: number;
let reads: readonly string[];

beforeAll(async () => {
  players = await registerMany(service, 'player', WAVES * IN_A_WAVE);
  await postgres.makeSynchronous();
  ({ id: known } = await currentRound(service));
  reads = ['/readyz?exclude=queue,rounds', `/api/rounds/${known}/entries`, '/api/leaderboard', '/api/agents/1'];
  await postgres.standby.stop();
});

function only<One>(all: readonly One[], place: number): One {
  const one = all[place];
  if (one === undefined) throw new RangeError(`There must be a place ${place} (got ${all.length} in all)`);
  return one;
}

/** How many backends wait for the standby. */
const waiting = () =>
  withClient(postgres.primary.connection, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'`,
    );
    return only(rows, 0).n;
  });

/** What becomes of requests, and the most backends that waited when one of them was answered. */
async function answersOf(requests: readonly Promise<Answer>[]) {
  const looks = requests.map(async (one) => {
    const { status } = await one;
    return { status, backends: await waiting() };
  });
  const seen = await Promise.all(looks);
  return { statuses: new Set(seen.map(({ status }) => status)), most: Math.max(...seen.map((one) => one.backends)) };
}

const registration = (name: string) => service.request('POST', '/api/agents/register', { body: { name } });
const rotation = ({ key }: Player) => service.request('POST', '/api/me/rotate-key', { key });
const read = async (path: string) => (await service.request('GET', path)).status;

test('an absent standby blocks at most six backends, and reads continue', async () => {
  for (let wave = 0; wave < WAVES; wave += 1) {
    const those = players.slice(wave * IN_A_WAVE, (wave + 1) * IN_A_WAVE);
    const requests = those.flatMap((player, place) => [
      predict(service, player),
      ...(place === 0 ? [] : [registration(`late-${wave}-${place}`)]),
      ...(place === 1 && wave > 0 ? [rotation(player)] : []),
    ]);
    const { statuses, most } = await answersOf(requests);
    expect(statuses).toEqual(new Set([503]));
    expect(most).toBeLessThanOrEqual(MOST_BACKENDS);
    expect(await Promise.all(reads.map(read))).toEqual(reads.map(() => 200));
  }
});

test('no hour turns during the absence, and the service continues within a second of the return', async () => {
  const turned = service.nextHour();
  await until('the turn waits', async () => (await waiting()) > 0);
  expect(await Promise.all(reads.map(read))).toEqual(reads.map(() => 200));
  expect(await read('/api/rounds/current')).toBe(503);
  await postgres.standby.start();
  await turned;
  expect((await currentRound(service)).id).toBe(known + 1);
  expect((await predict(service, only(players, 1))).status).toBe(201);
  expect((await register(service, 'afterwards')).name).toBe('afterwards');
  expect(await waiting()).toBe(0);
});
