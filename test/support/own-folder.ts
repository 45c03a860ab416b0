import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from '@jest/globals';

const PREFIX = join(tmpdir(), 'hourcast-test-');

/** A new folder of the suite that is being loaded, removed after its last test. */
export function ownFolder(): string {
  const folder = mkdtempSync(PREFIX);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder, removed at the end of the scope that declares it `await using`. */
export function scopedFolder() {
  return mkdtempDisposable(PREFIX);
}
