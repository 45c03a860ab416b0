import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService({ statementMs: 100 });
});
afterEach(() => service.stop());

/** Runs `work` while nobody else can read agents: whoever asks for one waits. */
function whileAgentsAreLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  return service.newEm().transactional(async (em: SqlEntityManager) => {
    await sql`lock table agents in access exclusive mode`.execute(em.getKysely());
    return work();
  });
}

const TOO_LONG =
  'A part of this took the database longer than 3 s and was stopped; ask for less at a time, or try again shortly.';

describe('a statement of the API that takes too long', () => {
  test('is stopped and told as UNAVAILABLE, without the database’s own words', async () => {
    const { status, body } = await whileAgentsAreLocked(() =>
      service.request('POST', '/graphql', { body: { query: '{ agent(id: 1) { name } health { status } }' } }),
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({ agent: null, health: { status: 'ok' } });
    expect(body.errors).toEqual([
      expect.objectContaining({
        message: TOO_LONG,
        path: ['agent'],
        extensions: { code: 'UNAVAILABLE', reason: 'took_too_long', retryAfter: 1 },
      }),
    ]);
    expect(service.reported).toEqual([]);
  });

  test('is a 503 over REST', async () => {
    const { status, body, headers } = await whileAgentsAreLocked(() => service.request('GET', '/api/agents/1'));
    expect({ status, body }).toEqual({ status: 503, body: { error: TOO_LONG, code: 'took_too_long', retry_after: 1 } });
    expect(headers.get('retry-after')).toBe('1');
  });

  test('leaves the connection fit for the next', async () => {
    await whileAgentsAreLocked(() =>
      Promise.all(Array.from({ length: 30 }, () => service.request('GET', '/api/agents/1'))),
    );
    expect((await service.request('GET', '/api/agents/1')).status).toBe(404);
  });
});

test('jobs and exports are not stopped: only the API’s connections carry the time limit', async () => {
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(
    service.newEm().getKysely(),
  );
  expect(rows).toEqual([{ statement_timeout: '0' }]);
});
