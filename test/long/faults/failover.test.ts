import { expect, test } from '@jest/globals';

import { arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { replicatedPostgres } from '../../faults/replicated-postgres.ts';
import { databaseUrl } from '../../support/process.ts';
import { serviceProcess } from '../../support/service-process.ts';
import { shared, sharedDisposable } from '../../support/shared.ts';

const SPEED = 1_200;

const postgres = sharedDisposable(async () => {
  const replicated = await replicatedPostgres();
  await replicated.makeSynchronous();
  return replicated;
});
const service = shared(async (closing) => {
  const { primary, standby } = postgres;
  const process = await serviceProcess({
    CLOCK_START: '2026-01-01T00:10:00Z',
    CLOCK_SPEED: String(SPEED),
    DATABASE_URL: databaseUrl(primary.connection),
    DATABASE_READ_URL: databaseUrl(standby.connection),
  });
  closing.defer(async () => void (await process.end()));
  await process.start();
  return process;
});
let isPromoted = false;
const arena = sharedDisposable(() =>
  arenaUnderFault({
    urls: [service.url],
    connection: async () => (isPromoted ? postgres.standby : postgres.primary).connection,
    speed: SPEED,
    seed: 11,
  }),
);

const readsOf = async (answerer: string): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`hourcast_replica_reads_total{answerer="${answerer}"} (\\d+)`).exec(text)?.[1]);
};

test('a primary killed under load loses no answer, since its standby has them all', async () => {
  expect(await readsOf('replica')).toBeGreaterThan(0);
  await arena.undergo({
    name: 'primary killed (SIGKILL), its standby promoted, the service started with its address',
    async happen() {
      await postgres.primary.kill();
      await postgres.promote();
      await service.end('SIGTERM');
      isPromoted = true;
      await service.start({ DATABASE_URL: databaseUrl(postgres.standby.connection) });
    },
    seen: (during) => expect(during.countOf(201)).toBeGreaterThan(0),
  });
});

test('a promoted standby is no longer a replica', async () => {
  const response = await fetch(`${service.url}/readyz`);
  expect(await response.json()).toMatchObject({ replica: 'behind' });
  expect(await readsOf('replica')).toBe(0);
});
