import type { LoggedEvent } from './event-log.ts';
import type { RootValue } from './executions.ts';
import type { Sink } from './shared-execution.ts';

/** A change outside the log: the active round has new predictions, or prices are due. */
export type Tick = 'entries' | 'market';

type Arguments = Readonly<Record<string, unknown>>;

export interface StateField {
  readonly kind: 'state';
  readonly tick: Tick | null;
  readonly onEvent: (event: LoggedEvent, args: Arguments) => RootValue | null;
  /** Called with its own `tick` only; the round is that of `entries`. */
  readonly onTick: (roundId: number | null, args: Arguments) => RootValue | null;
}

interface LogField {
  readonly kind: 'log';
  readonly carries: (event: LoggedEvent, args: Arguments) => boolean;
}

export interface Subscription {
  readonly tick: Tick | null;
  /** `after` is the seq of the last event seen, for the log. A subscriber that cannot continue is removed, and its sink fails. */
  join(sink: Sink, after: number | null): () => void;
  onEvents(events: readonly LoggedEvent[]): void;
  /** `seq` is the newest event when the tick was noticed. */
  onTick(roundId: number | null, seq: number): void;
  heartbeat(): void;
}

const ROUND_EVENT = /^ROUND_/;

function concerns(args: Arguments, roundId: number | null): boolean {
  return roundId !== null && (args['id'] == null || args['id'] === roundId);
}

export const SUBSCRIPTION_FIELDS: Readonly<Record<string, StateField | LogField>> = {
  events: {
    kind: 'log',
    carries: (event, { kinds }) => !Array.isArray(kinds) || kinds.includes(event.kind),
  },
  roundUpdated: {
    kind: 'state',
    tick: 'entries',
    onEvent: ({ kind, roundId }, args) =>
      ROUND_EVENT.test(kind) && concerns(args, roundId) ? { roundId, transition: kind } : null,
    // Only an active round takes predictions: it is sent as active, even if it has ended by the time it is read.
    onTick: (roundId, args) => (concerns(args, roundId) ? { roundId, transition: 'ROUND_OPENED' } : null),
  },
  leaderboardUpdated: {
    kind: 'state',
    tick: null,
    onEvent: ({ kind }) => (kind === 'LEADERBOARD_CHANGED' ? {} : null),
    onTick: () => null,
  },
  marketUpdated: {
    kind: 'state',
    tick: 'market',
    onEvent: () => null,
    onTick: () => ({}),
  },
};
