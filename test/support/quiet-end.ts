import { expect } from '@jest/globals';

import type { TestService } from './service.ts';

/** Stops a file's service. Nothing that the file did may have been an internal error. */
export async function endQuietly(service: TestService): Promise<void> {
  await service.stop();
  expect(service.reported).toEqual([]);
}
