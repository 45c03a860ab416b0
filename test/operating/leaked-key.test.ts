import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { register } from '../support/agents.ts';
import { createTestDatabase } from '../support/database.ts';
import { blockWith } from '../support/document-blocks.ts';
import { describeWith } from '../support/installed.ts';
import { databaseUrl } from '../support/process.ts';
import { startService } from '../support/service.ts';

const run = promisify(execFile);
const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');

describeWith(['psql', 'openssl'], 'the runbook of a leaked key', () => {
  test.each([
    ['without KEY_PEPPER', undefined],
    ['with KEY_PEPPER', 'a pepper of "some" $length'],
  ])('%s gives the agent a key that is taken, and the leaked one is refused', async (_how, keyPepper) => {
    const database = await createTestDatabase();
    const service = await startService({ database, ...(keyPepper === undefined ? {} : { keyPepper }) });
    try {
      const { key: leaked } = await register(service, 'Their-Name');
      const { stdout } = await run('bash', ['-ec', blockWith(DOCUMENT, "set key_hash = '$HASH'")], {
        env: {
          PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
          OWNER_URL: databaseUrl(database.connection),
          ...(keyPepper === undefined ? {} : { KEY_PEPPER: keyPepper }),
        },
      });
      const [key = '', updated] = stdout.split('\n');
      expect(updated).toBe('UPDATE 1');
      expect((await service.request('GET', '/api/me', { key })).body.agent.name).toBe('Their-Name');
      expect((await service.request('GET', '/api/me', { key: leaked })).status).toBe(401);
    } finally {
      await service.stop();
      await database.drop();
    }
  });
});
