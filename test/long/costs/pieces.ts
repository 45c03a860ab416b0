/** Microseconds in a millisecond. */
const US = 1_000;

/**
 * The pieces of work of this thread while `work` runs, in milliseconds of its own processor time: what it does between two
 * turns of its event loop, which a timer of 1 ms sees. What other threads and processes do counts in none.
 */
export async function piecesDuring(work: () => Promise<unknown>): Promise<readonly number[]> {
  const pieces: number[] = [];
  let last = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    pieces.push((user + system) / US);
    last = process.threadCpuUsage();
  };
  const looking = setInterval(look, 1);
  try {
    await work();
  } finally {
    clearInterval(looking);
    look();
  }
  return pieces;
}

const TEXT = JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ id: n, price: n / 7, name: `row ${n}` })));
const TIMES = 200;
/** Of `TEXT` so many times, on the machine of docs/performance.md. */
const QUIET_MS = 36;

/** How many times longer this thread takes for a fixed piece of work than on a quiet machine; at least 1. */
export function slowness(): number {
  const begun = process.threadCpuUsage();
  for (let n = 0; n < TIMES; n += 1) JSON.stringify(JSON.parse(TEXT));
  const { user, system } = process.threadCpuUsage(begun);
  return Math.max(1, (user + system) / US / QUIET_MS);
}
