import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { until } from '../support/poll.ts';
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

async function statusesOfMany(): Promise<readonly number[]> {
  const reads = Array.from({ length: 30 }, () => service.request('GET', '/api/agents/1'));
  return (await Promise.all(reads)).map(({ status }) => status);
}

const TOO_LONG =
  'Part of this took the database longer than 3 s and was cancelled; ask for less at a time, or try again shortly.';

describe('slow statement of the API', () => {
  test('a slow statement is cancelled with UNAVAILABLE, without the database’s message', async () => {
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

  test('a slow statement gets 503 over REST', async () => {
    const { status, body, headers } = await whileAgentsAreLocked(() => service.request('GET', '/api/agents/1'));
    expect({ status, body }).toEqual({ status: 503, body: { error: TOO_LONG, code: 'took_too_long', retry_after: 1 } });
    expect(headers.get('retry-after')).toBe('1');
  });

  test('a cancelled statement leaves its connection usable', async () => {
    expect(new Set(await whileAgentsAreLocked(statusesOfMany))).toEqual(new Set([503]));
    await until('all reads succeed', async () => {
      const statuses = await statusesOfMany();
      // A busy machine takes longer than 100 ms now and then.
      expect(statuses.filter((status) => status !== 404 && status !== 503)).toEqual([]);
      return statuses.every((status) => status === 404);
    });
  });
});

test('jobs and exports have no timeout of statements', async () => {
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(
    service.newEm().getKysely(),
  );
  expect(rows).toEqual([{ statement_timeout: '0' }]);
});
