import { beforeAll, expect, test } from '@jest/globals';

import { withClient } from '../../../src/database/connection.ts';
import { isOutOfReach } from '../../../src/database/failures.ts';
import { DURABLE_SO_FAR } from '../../../src/database/statements.ts';
import { replicatedPostgres } from '../../faults/replicated-postgres.ts';
import { type Player, predict, register, registerMany } from '../../support/agents.ts';
import { until } from '../../support/poll.ts';
import { currentRound } from '../../support/rounds.ts';
import { sharedDisposable, sharedService } from '../../support/shared.ts';

const postgres = sharedDisposable(replicatedPostgres);
const service = sharedService(() => ({
  database: { connection: postgres.primary.connection, drop: async () => {} },
  replica: postgres.standby.connection,
  logLevel: 'info',
}));
let players: readonly Player[];

beforeAll(async () => {
  players = await registerMany(service, 'player', 3);
});

/** Entries of the active round, each time another question by its `first`. */
const ENTRIES = `query ($first: Int!) { currentRound { id predictions(first: $first) {
  nodes { confidence agent { name } } } } }`;

let requests = 0;

async function entries(): Promise<readonly { confidence: number; agent: { name: string } }[]> {
  requests += 1;
  const body = { query: ENTRIES, variables: { first: 10 + (requests % 80) } };
  const answer = await service.request('POST', '/graphql', { body });
  return answer.body.data.currentRound.predictions.nodes;
}

async function exportedRounds(): Promise<readonly number[]> {
  const answer = await fetch(`${service.url}/api/export/rounds.ndjson`);
  const lines = (await answer.text()).trim().split('\n');
  return lines.map((line) => Object(JSON.parse(line)).id);
}

const readiness = async () => (await service.request('GET', '/readyz')).body;

async function readsOf(answerer: 'replica' | 'primary'): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`hourcast_replica_reads_total{answerer="${answerer}"} (\\d+)`).exec(text)?.[1]);
}

/** How many more reads each has answered since the returned function was made. */
async function readsSince(): Promise<() => Promise<{ replica: number; primary: number }>> {
  const before = { replica: await readsOf('replica'), primary: await readsOf('primary') };
  return async () => ({
    replica: (await readsOf('replica')) - before.replica,
    primary: (await readsOf('primary')) - before.primary,
  });
}

const onStandby = (sql: string) =>
  withClient(postgres.standby.connection, async (client) => (await client.query<{ query: string }>(sql)).rows);

const replicaIs = (state: string) =>
  until(`the replica is ${state}`, async () => (await readiness()).replica === state);

const linesWith = (words: string): number => service.logged.filter((line) => line.includes(words)).length;

test('a standby confirms no durability: as primary it is unreachable', async () => {
  const failure = await onStandby(`select ${DURABLE_SO_FAR}`).catch((error: unknown) => error);
  expect(isOutOfReach(failure)).toBe(true);
});

test('lists, nested rows and exports are read from the standby', async () => {
  await replicaIs('up');
  const since = await readsSince();
  for (let turn = 0; turn < 5; turn += 1) await entries();
  expect(await exportedRounds()).toContain((await currentRound(service)).id);
  const { replica, primary } = await since();
  expect(replica).toBeGreaterThan(5);
  expect(primary).toBe(0);
  const statements = await onStandby(
    `select query from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  expect(statements.filter(({ query }) => /json_build_array|max\(/.test(query)).length).toBeGreaterThan(0);
});

test('an accepted prediction is visible at once, read from the standby', async () => {
  await replicaIs('up');
  const since = await readsSince();
  const seen: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    await register(service, `newcomer-${turn}`).then((player) => predict(service, player, { confidence: turn }));
    seen.push((await entries()).length);
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, turn) => turn + 1));
  await replicaIs('up');
  await entries();
  expect((await since()).replica).toBeGreaterThan(0);
});

test('a standby that lacks this process’s writes is not read until it has them', async () => {
  const [player] = players;
  if (player === undefined) throw new Error('There are players');
  await replicaIs('up');
  await onStandby('select pg_wal_replay_pause()');
  const before = await currentRound(service);
  // Written by its own hand, and then an event that it has seen.
  await predict(service, player, { confidence: 77 });
  expect((await entries()).map(({ agent }) => agent.name)).toContain(player.name);
  await service.nextHour();
  expect((await currentRound(service)).id).not.toBe(before.id);
  expect(await entries()).toEqual([]);
  const since = await readsSince();
  await entries();
  expect(await since()).toEqual({ replica: 0, primary: expect.any(Number) });
  expect(await readiness()).toMatchObject({ ready: true, replica: 'behind' });
  await onStandby('select pg_wal_replay_resume()');
  await replicaIs('up');
  const later = await readsSince();
  expect(await entries()).toEqual([]);
  expect((await later()).replica).toBeGreaterThan(0);
});

test('the primary answers while the standby is down, with one log line', async () => {
  await replicaIs('up');
  const lines = linesWith('DATABASE_READ_URL');
  await postgres.standby.stop();
  const since = await readsSince();
  for (let turn = 0; turn < 10; turn += 1) expect(await entries()).toEqual([]);
  expect(await since()).toMatchObject({ replica: 0 });
  expect(await readiness()).toEqual({ ready: true, not_ready: {}, replica: 'away' });
  expect((await service.request('GET', '/readyz')).status).toBe(200);
  expect(linesWith('DATABASE_READ_URL')).toBe(lines + 1);
  expect(linesWith('The replica of DATABASE_READ_URL does not answer')).toBe(1);
});

test('a restarted standby is read again', async () => {
  const player = await register(service, 'meanwhile');
  await predict(service, player, { confidence: 3 });
  await postgres.standby.start();
  await replicaIs('up');
  const since = await readsSince();
  expect((await entries()).map(({ agent }) => agent.name)).toEqual(['meanwhile']);
  expect((await since()).replica).toBeGreaterThan(0);
  expect(linesWith('The replica of DATABASE_READ_URL is read again')).toBe(1);
});
