/** The past of a measured service: rounds that all agents answered, a pause, then small rounds. */
export interface History {
  /** With ids from 1 and the keys of `benchKey`. */
  readonly agents: number;
  /** Resolved rounds that all agents answered. */
  readonly fullRounds: number;
  /** Hours without rounds, so that full rounds leave the windows together. */
  readonly pause: number;
  /** Later resolved rounds, which the first `regulars` agents answered. */
  readonly smallRounds: number;
  readonly regulars: number;
}

/** The first round's hour. */
export const HISTORY_START = new Date('2026-01-01T00:00:00Z');

const MONTH = 31 * 24;

/** 100,000 agents, 2.1 million predictions; the newest 100 rounds have 1,000 each, all within the week. */
export const USUAL = {
  agents: 100_000,
  fullRounds: 20,
  pause: 24,
  smallRounds: 100,
  regulars: 1_000,
} as const satisfies History;

/** 50,000 predictions, and agents in proportion. */
export const SMALL = {
  agents: 1_000,
  fullRounds: 40,
  pause: MONTH,
  smallRounds: 60,
  regulars: 160,
} as const satisfies History;

/** Five million predictions of 100,000 agents; the first 160 have ten times as many rounds as in `SMALL`. */
export const LARGE = {
  agents: 100_000,
  fullRounds: 49,
  pause: MONTH,
  smallRounds: 950,
  regulars: 160,
} as const satisfies History;

/** Hours from the start to the running one. */
export function hoursOf({ fullRounds, pause, smallRounds }: History): number {
  return fullRounds + pause + smallRounds;
}

/** 48 hexadecimal digits after the prefix, as registration makes them. */
export function benchKey(n: number): string {
  return `pk_live_${n.toString(16).padStart(48, '0')}`;
}
