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

test('a service that is killed while agents submit loses nothing that it has answered', () =>
  arena.undergo({
    name: 'service killed (SIGKILL)',
    async happen() {
      await service.first.end('SIGKILL');
      await service.first.start();
    },
  }));

test('PostgreSQL that is shut down under the service is started again by it', () =>
  arena.undergo({ name: 'PostgreSQL shut down (SIGINT)', happen: () => endServer('SIGINT') }));

test('PostgreSQL that is killed under the service is started again by it', () =>
  arena.undergo({ name: 'PostgreSQL killed (SIGKILL)', happen: () => endServer('SIGKILL') }));

test('while PostgreSQL is out of connections clients are told when to come back', () =>
  arena.undergo({
    name: 'PostgreSQL out of connections for 3 s',
    happen: async () => takeAllConnections(await database(), 3_000),
    seen: (during) => expect(during.countOf(503)).toBeGreaterThan(0),
  }));

test('nobody waits for a PostgreSQL that is frozen, and nothing is lost when it wakes', () =>
  arena.undergo({
    name: 'PostgreSQL frozen (SIGSTOP) for 6 s',
    happen: async () => freezeServer(await database(), 6_000),
    seen: (during) => expect(during.countOf(503)).toBeGreaterThan(0),
  }));

test('each outage is told once, however much of the service’s work fails', () => {
  const outages = linesOf(/The database is out of reach/).length;
  expect(outages).toBeGreaterThan(0);
  expect(outages).toBeLessThanOrEqual(5);
  expect(linesOf(/Something failed/)).toEqual([]);
});
