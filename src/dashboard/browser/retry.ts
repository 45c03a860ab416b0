const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 10_000;

/** How long to wait before a connection is tried again, with a third of it by chance, so that not all come at once. */
export function retryMs(retries: number, chance: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS) * (2 / 3 + chance / 3);
}
