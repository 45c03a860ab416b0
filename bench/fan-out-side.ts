/** A server of the fan-out benchmark. */
export interface Side {
  readonly url: string;
  /** What its clients subscribe to. */
  readonly query: string;
  /** Brings an event to all subscribers; returns when it began to, as `process.hrtime` has it. */
  readonly publish: () => Promise<number>;
}

const ROWS = 30;

/** The part of a board that an event carries: with its frame about 2.2 KB. */
export function boardRows(event: number) {
  return Array.from({ length: ROWS }, (_, place) => ({
    rank: place + 1,
    name: `agent_${100_000 + place * 7 + event}`,
    points: 50_000 - place * 13,
    winRate: 50.5 + place / 10,
  }));
}

/** Nanoseconds of the clock that all processes of a machine share. */
export function now(): number {
  return Number(process.hrtime.bigint());
}
