/** What has happened in a service before it is measured: rounds that all agents answered, a pause, then rounds of few. */
export interface History {
  /** Registered agents, with ids from 1 and the keys of `benchKey`. */
  readonly agents: number;
  /** Resolved rounds that each of them answered. */
  readonly fullRounds: number;
  /** Hours without rounds, in which full rounds leave the windows together rather than one with each later round. */
  readonly pause: number;
  /** Resolved rounds after that, the newest ones, which the first `regulars` agents answered. */
  readonly smallRounds: number;
  readonly regulars: number;
}

/** The hour of the first round. */
export const HISTORY_START = new Date('2026-01-01T00:00:00Z');

const MONTH = 31 * 24;

/** 100,000 agents, 2.1 million predictions; the newest 100 rounds have 1,000 each. The week holds all of them. */
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

/** Five million predictions of 100,000 agents; the first 160 have answered ten times as many rounds as in `SMALL`. */
export const LARGE = {
  agents: 100_000,
  fullRounds: 49,
  pause: MONTH,
  smallRounds: 950,
  regulars: 160,
} as const satisfies History;

/** The hour that runs when the history is over, counted from its start. */
export function hoursOf({ fullRounds, pause, smallRounds }: History): number {
  return fullRounds + pause + smallRounds;
}

/** The key of the nth agent: 48 hexadecimal digits behind the prefix, as registration makes them. */
export function benchKey(n: number): string {
  return `pk_live_${n.toString(16).padStart(48, '0')}`;
}
