import { expect, test } from '@jest/globals';
import { join } from 'node:path';

import { writeGzipped } from '../../src/hashed-files.ts';
import { StartError } from '../../src/rules/errors.ts';
import { scopedFolder } from '../support/own-folder.ts';

async function* full(): AsyncGenerator<string> {
  yield 'a line\n';
  throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
}

test('a file onto a full disk is refused with a sentence that names its folder', async () => {
  await using folder = await scopedFolder();
  await expect(writeGzipped(join(folder.path, 'rows.gz'), full())).rejects.toMatchObject({
    constructor: StartError,
    message: `The disk must have room for ${folder.path} (ENOSPC), which is incomplete: delete it.`,
  });
});
