import { expect } from '@jest/globals';

import type { TestService } from './service.ts';

/** Stops a file's service. Internal errors fail the file. */
export async function endQuietly(service: TestService): Promise<void> {
  await service.stop();
  expect(service.reported).toEqual([]);
}
