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
