import { SECOND } from '../rules/hours.ts';

/** How often, in real time, the feed does what it does by itself. */
export interface Intervals {
  /** Tells those who follow the log that the connection lives. */
  readonly heartbeatMs: number;
  /** Sends the present prices. */
  readonly marketMs: number;
  /** Looks whether the active round has more predictions. */
  readonly entriesMs: number;
  /** Asks each socket whether anybody is there. */
  readonly pingMs: number;
  /** How long a reader of server-sent events may read nothing before it is cut off. */
  readonly stalledMs: number;
}

export const INTERVALS: Intervals = {
  heartbeatMs: 15 * SECOND,
  marketMs: 15 * SECOND,
  entriesMs: SECOND,
  pingMs: 12 * SECOND,
  stalledMs: 30 * SECOND,
};
