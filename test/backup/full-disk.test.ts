import { expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeGzipped } from '../../src/hashed-files.ts';
import { StartError } from '../../src/rules/errors.ts';

async function* full(): AsyncGenerator<string> {
  yield 'a line\n';
  throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
}

test('a file onto a full disk is refused with a sentence that names its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-test-disk-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await expect(writeGzipped(join(folder, 'rows.gz'), full())).rejects.toMatchObject({
    constructor: StartError,
    message: `The disk must have room for ${folder} (ENOSPC), which is incomplete: delete it.`,
  });
});
