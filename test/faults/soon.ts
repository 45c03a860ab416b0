import { setTimeout as delay } from 'node:timers/promises';

const LOOK_AGAIN_MS = 25;
const PATIENCE_MS = 40_000;

/** Looks until it is so; a look that fails, since the database is away, is one that has seen nothing. */
export async function soon(awaited: string, look: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let failure: unknown;
  while (performance.now() < deadline) {
    try {
      if (await look()) return;
    } catch (error) {
      failure = error;
    }
    await delay(LOOK_AGAIN_MS);
  }
  throw new Error(`Not seen in ${PATIENCE_MS} ms: ${awaited}`, { cause: failure });
}
