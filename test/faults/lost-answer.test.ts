import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { parseDatabaseUrl } from '../../src/database/connection.ts';
import { predict, register } from '../support/agents.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { troubledLine, type TroubledLine } from './troubled-line.ts';

let database: TestDatabase;
let line: TroubledLine;
let service: TestService;

beforeAll(async () => {
  database = await createTestDatabase();
  line = await troubledLine(database.connection);
  service = await startService({ database: { ...database, connection: parseDatabaseUrl(line.url) } });
});

afterAll(async () => {
  await service.stop();
  await line[Symbol.asyncDispose]();
  await database.drop();
});

test.each([
  ['before', 'was never done: the retry is the first', null],
  ['after', 'is committed all the same: the retry gets its answer', 'true'],
] as const)(
  'a submission whose connection is cut %s PostgreSQL has it is a 503 and %s',
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
    expect(service.reported).toEqual([]);
  },
);
