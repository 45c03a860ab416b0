import { expect, test } from '@jest/globals';

import { parseDatabaseUrl } from '../../src/database/connection.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { predict, register } from '../support/agents.ts';
import { playBets } from '../support/outcomes.ts';
import { troubledLine } from './troubled-line.ts';
import { sharedDatabase, sharedDisposable, sharedService } from '../support/shared.ts';

const database = sharedDatabase();
const line = sharedDisposable(() => troubledLine(database.connection));
const service = sharedService(() => ({
  database: { ...database, connection: parseDatabaseUrl(line.url) },
  adminToken: TOKEN,
}));

test.each([
  ['before', 'is not stored: the retry is the first', null],
  ['after', 'is stored: the retry gets its answer', 'true'],
] as const)(
  'a submission whose connection is cut %s PostgreSQL has it gets 503 and %s',
  async (when, _what, replayed) => {
    const player = await register(service, `cut-${when}`);
    const offer = () => predict(service, player, { idempotencyKey: 'once' });
    line.cutOff('insert-predictions', when);
    const first = await offer();
    expect(first).toMatchObject({
      status: 503,
      body: {
        error: 'The database is out of reach at present; try again shortly.',
        code: 'database_unavailable',
        retry_after: 1,
      },
    });
    expect(first.headers.get('retry-after')).toBe('1');
    const second = await offer();
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, replayed]);
  },
);

test('a removal whose connection is cut after its commit changes decided rounds that are cached', async () => {
  const player = await register(service, 'real-person');
  const { id } = await playBets(service, [{ player, right: true, confidence: 70 }]);
  await service.nextHour();
  const text = async () => JSON.stringify((await service.request('GET', `/api/rounds/${id}/results`)).body);
  expect(await text()).toContain('"real-person"');
  line.cutOff('commit', 'after');
  expect((await act(service, 'remove', player.id)).status).toBe(503);
  expect(await text()).toContain(`"removed-${player.id}"`);
});
