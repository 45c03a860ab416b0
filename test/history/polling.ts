import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL = 10;

/** Asks again every few milliseconds until the answer is there; says what it waited for when it never comes. */
export async function until<T>(what: string, timeout: number, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + timeout;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(INTERVAL);
  }
  throw new Error(`after ${timeout} ms still not: ${what}`);
}
