import type { LoggedEvent } from './event-log.ts';
import type { RootValue } from './executions.ts';
import type { Sink } from './shared-execution.ts';

/** A change that is not in the log: a round has taken predictions since the last check; prices are due. */
export type Tick = { readonly name: 'entries'; readonly roundId: number } | { readonly name: 'market' };

type Arguments = Readonly<Record<string, unknown>>;

/** A field that sends its present state first, and then each change. */
export interface StateSource {
  readonly kind: 'state';
  /** The ticks that it is sent. */
  readonly tick: Tick['name'] | null;
  /** The root value after an event, or null when it changes nothing here. */
  readonly onEvent: (event: LoggedEvent, args: Arguments) => RootValue | null;
  readonly onTick: (tick: Tick, args: Arguments) => RootValue | null;
}

/** A field that sends the log itself, from any seq. */
interface LogSource {
  readonly kind: 'log';
  readonly carries: (event: LoggedEvent, args: Arguments) => boolean;
}

/** The running subscription of all who ask for the same: of the log or of a state. */
export interface Subscription {
  /** The ticks that it is sent. */
  readonly tick: Tick['name'] | null;
  /**
   * Adds a subscriber, and returns how to leave. `after` is the seq of the last event that it has seen, for the log. A
   * subscriber that cannot begin, or go on, leaves and its sink fails.
   */
  join(sink: Sink, after: number | null): () => void;
  onEvents(events: readonly LoggedEvent[]): void;
  /** `seq` is the newest event when the tick was noticed. */
  onTick(tick: Tick, seq: number): void;
  heartbeat(): void;
}

const ROUND_EVENT = /^ROUND_/;

function concerns(args: Arguments, roundId: number | null): boolean {
  return roundId !== null && (args['id'] == null || args['id'] === roundId);
}

/** The fields of `type Subscription`, one row each. */
export const SUBSCRIPTION_FIELDS: Readonly<Record<string, StateSource | LogSource>> = {
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
    onTick: (tick, args) =>
      tick.name === 'entries' && concerns(args, tick.roundId)
        ? { roundId: tick.roundId, transition: 'ROUND_OPENED' }
        : null,
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
    onTick: ({ name }) => (name === 'market' ? {} : null),
  },
};
