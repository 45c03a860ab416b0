/** An hour is named by its count since the epoch: hour n runs from n x 3,600,000 ms to (n + 1) x 3,600,000 ms. */
export const HOUR = 3_600_000;
export const HOURS_A_DAY = 24;

export function hourOf(instant: string): number {
  return Math.floor(milliseconds(instant) / HOUR);
}

/** Reads `YYYY-MM-DD HH:MM:SS`, `YYYY-MM-DDTHH:MM:SS` and ISO 8601 with `Z`, all as UTC. */
export function milliseconds(instant: string): number {
  const time = Date.parse(instant.endsWith('Z') ? instant : `${instant.replace(' ', 'T')}Z`);
  if (Number.isNaN(time)) throw new Error(`${instant} is no instant`);
  return time;
}
