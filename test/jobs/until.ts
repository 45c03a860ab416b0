import { setTimeout } from 'node:timers/promises';

const LOOK_AGAIN_MS = 5;
const PATIENCE_MS = 25_000;

/** Looks until there is something to see, and answers it; what is awaited names itself in the error. */
export async function until<Seen>(awaited: string, look: () => Promise<Seen | null | false> | Seen | null | false) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`Not seen in ${PATIENCE_MS} ms: ${awaited}`);
    await setTimeout(LOOK_AGAIN_MS);
  }
}
