/**
 * Tells every process that the event log has grown. It carries no event: each process reads the log from where it is,
 * so a lost nudge costs time and never an event.
 */
export interface Bus {
  readonly nudge: () => void;
  /** Calls `listener` after each nudge of any process; the returned function ends that. */
  readonly onNudge: (listener: () => void) => () => void;
}
