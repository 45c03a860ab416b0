import { expect, test } from '@jest/globals';
import type { ClientConfig } from 'pg';

import { arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { freezeServer, postmasterOf, takeAllConnections } from '../../faults/postgres-processes.ts';
import { started } from '../../support/deployment.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { sharedDisposable } from '../../support/shared.ts';

const SPEED = 1_200;

const service = sharedDisposable(() => started({ CLOCK_SPEED: String(SPEED) }));
const arena = sharedDisposable(() =>
  arenaUnderFault({ urls: service.urls, connection: () => service.connection(), speed: SPEED, seed: 7 }),
);

async function database(): Promise<ClientConfig> {
  const connection = await service.connection();
  if (connection === null) throw new Error('PostgreSQL has no socket');
  return connection;
}

/** Ends the server that runs now with `signal`, and waits until another runs. */
async function endServer(signal: NodeJS.Signals): Promise<void> {
  const before = await postmasterOf(await database());
  process.kill(before, signal);
  await untilDespiteFaults('another server runs', async () => (await postmasterOf(await database())) !== before);
}

const linesOf = (text: RegExp): string[] =>
  service.first
    .output()
    .split('\n')
    .filter((line) => text.test(line));

test('a service killed during submissions loses no answered one', () =>
  arena.undergo({
    name: 'service killed (SIGKILL)',
    async happen() {
      await service.first.end('SIGKILL');
      await service.first.start();
    },
  }));

test('the service restarts a PostgreSQL that was shut down', () =>
  arena.undergo({ name: 'PostgreSQL shut down (SIGINT)', happen: () => endServer('SIGINT') }));

test('the service restarts a PostgreSQL that was killed', () =>
  arena.undergo({ name: 'PostgreSQL killed (SIGKILL)', happen: () => endServer('SIGKILL') }));

test('clients get a retry time while PostgreSQL has no free connections', () =>
  arena.undergo({
    name: 'PostgreSQL out of connections for 3 s',
    happen: async () => takeAllConnections(await database(), 3_000),
    seen: (during) => expect(during.countOf(503)).toBeGreaterThan(0),
  }));

test('a frozen PostgreSQL delays no client, and loses nothing when it continues', () =>
  arena.undergo({
    name: 'PostgreSQL frozen (SIGSTOP) for 6 s',
    happen: async () => freezeServer(await database(), 6_000),
    seen: (during) => expect(during.countOf(503)).toBeGreaterThan(0),
  }));

test('each outage is logged once, however much work fails', () => {
  const outages = linesOf(/The database is out of reach/).length;
  expect(outages).toBeGreaterThan(0);
  expect(outages).toBeLessThanOrEqual(5);
  expect(linesOf(/Something failed/)).toEqual([]);
});
