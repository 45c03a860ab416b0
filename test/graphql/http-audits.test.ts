import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';

import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('GraphQL over HTTP, audits of graphql-http', () => {
  const audits = serverAudits({ url: () => `${service.url}/graphql` });

  test.each(audits.map((audit) => [`${audit.id} the service ${audit.name}`, audit] as const))(
    '%s',
    async (_, audit) => {
      const result = await audit.fn();
      expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
    },
  );
});
