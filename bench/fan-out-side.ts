export interface Side {
  readonly url: string;
  /** The clients' subscription. */
  readonly query: string;
  /** Returns the begin of the broadcast, by `process.hrtime`. */
  readonly publish: () => Promise<number>;
}

const ROWS = 30;

/** A part of a board: with its frame about 2.2 KB. */
export function boardRows(event: number) {
  return Array.from({ length: ROWS }, (_, place) => ({
    rank: place + 1,
    name: `agent_${100_000 + place * 7 + event}`,
    points: 50_000 - place * 13,
    winRate: 50.5 + place / 10,
  }));
}

/** Nanoseconds of a clock that all processes of a machine share. */
export function now(): number {
  return Number(process.hrtime.bigint());
}
