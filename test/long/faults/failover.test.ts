import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { type ArenaUnderFault, arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { type ReplicatedPostgres, replicatedPostgres } from '../../faults/replicated-postgres.ts';
import { databaseUrl } from '../../support/process.ts';
import { type ServiceProcess, serviceProcess } from '../../support/service-process.ts';

const SPEED = 1_200;

/** All that is open, also where opening the rest has failed. */
const opened = new AsyncDisposableStack();
let postgres: ReplicatedPostgres;
let service: ServiceProcess;
let arena: ArenaUnderFault;
let primary: ReplicatedPostgres['primary'];

beforeAll(async () => {
  postgres = opened.use(await replicatedPostgres());
  await postgres.makeSynchronous();
  primary = postgres.primary;
  service = await serviceProcess({
    CLOCK_START: '2026-01-01T00:10:00Z',
    CLOCK_SPEED: String(SPEED),
    DATABASE_URL: databaseUrl(primary.connection),
    DATABASE_READ_URL: databaseUrl(postgres.standby.connection),
  });
  opened.defer(async () => void (await service.end()));
  await service.start();
  arena = opened.use(
    await arenaUnderFault({
      urls: [service.url],
      connection: async () => primary.connection,
      speed: SPEED,
      seed: 11,
    }),
  );
});

afterAll(() => opened.disposeAsync());

const readsOf = async (answerer: string): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`hourcast_replica_reads_total{answerer="${answerer}"} (\\d+)`).exec(text)?.[1]);
};

test('a primary that is killed under load costs no answer that was given: its standby has them all', async () => {
  expect(await readsOf('replica')).toBeGreaterThan(0);
  await arena.undergo({
    name: 'primary killed (SIGKILL), its standby promoted, the service started with its address',
    async happen() {
      await postgres.primary.kill();
      await postgres.promote();
      await service.end('SIGTERM');
      primary = postgres.standby;
      await service.start({ DATABASE_URL: databaseUrl(primary.connection) });
    },
    seen: (during) => expect(during.countOf(201)).toBeGreaterThan(0),
  });
});

test('a standby that was promoted is no replica any more', async () => {
  const response = await fetch(`${service.url}/readyz`);
  expect(await response.json()).toMatchObject({ replica: 'behind' });
  expect(await readsOf('replica')).toBe(0);
});
