import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';

import { startService, type TestService } from '../support/service.ts';

// CSRF prevention wants a header that no plain page can send; these three GETs of the suite, all MAY, send none.
const REFUSED_FOR_SAFETY = new Set(['5A70', 'D6D5', '6A70']);

function fetchWithPreflight(url: string, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  headers.set('apollo-require-preflight', 'true');
  return fetch(url, { ...init, headers });
}

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('GraphQL over HTTP, by the audits of graphql-http', () => {
  const audits = serverAudits({ url: () => `${service.url}/graphql` });
  const binding = audits.filter(({ id }) => !REFUSED_FOR_SAFETY.has(id));

  test.each(binding.map((audit) => [`${audit.id} the service ${audit.name}`, audit] as const))(
    '%s',
    async (_, audit) => {
      const result = await audit.fn();
      expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
    },
  );

  test('no audit that says MUST or SHOULD is left out', () => {
    const leftOut = audits.filter(({ id }) => REFUSED_FOR_SAFETY.has(id));
    expect(leftOut.map(({ name }) => name.split(' ')[0])).toEqual(['MAY', 'MAY', 'MAY']);
  });

  test.each(audits.filter(({ id }) => REFUSED_FOR_SAFETY.has(id)).map(({ id, name }) => [id, name] as const))(
    '%s (%s) holds with the header that prevents CSRF',
    async (id) => {
      const again = serverAudits({ url: `${service.url}/graphql`, fetchFn: fetchWithPreflight }).find(
        (audit) => audit.id === id,
      );
      const result = await again?.fn();
      expect(result).toMatchObject({ id, status: 'ok' });
    },
  );
});
