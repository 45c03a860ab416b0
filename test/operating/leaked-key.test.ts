import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { register } from '../support/agents.ts';
import { blockWith } from '../support/document-blocks.ts';
import { startService } from '../support/service.ts';
import { TOKEN } from './admin.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');

test.each([
  ['without KEY_PEPPER', undefined],
  ['with KEY_PEPPER', 'a pepper of "some" $length'],
])('the runbook of a leaked key, %s, replaces it with one that works', async (_how, keyPepper) => {
  const service = await startService({ adminToken: TOKEN, ...(keyPepper === undefined ? {} : { keyPepper }) });
  try {
    const { id, key: leaked } = await register(service, 'Their-Name');
    const block = blockWith(DOCUMENT, 'admin rekey 12').replace('rekey 12', `rekey ${id}`);
    const { stdout } = await run('bash', ['-ec', block], {
      cwd: ROOT,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: process.env['HOME'],
        HOURCAST_URL: service.url,
        ADMIN_TOKEN: TOKEN,
      },
    });
    expect(stdout).toContain(`id ${id}, name Their-Name`);
    const [, key = ''] = /^api_key: (pk_live_[0-9a-f]{48})$/m.exec(stdout) ?? [];
    expect((await service.request('GET', '/api/me', { key })).body.agent.name).toBe('Their-Name');
    expect((await service.request('GET', '/api/me', { key: leaked })).status).toBe(401);
  } finally {
    await service.stop();
  }
});
