/** Waits for `work`, but `ms` real milliseconds at the most: what takes longer goes on by itself, unheard. */
export async function waitAtMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, enough]);
  } finally {
    clearTimeout(timer);
  }
}
