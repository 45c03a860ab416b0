import { withDeadline } from '../deadline.ts';
import { rerunAfter } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import { DURABLE_SO_FAR, statement, type Statements } from './statements.ts';

export const REPLICA_STATES = ['new', 'up', 'behind', 'away'] as const;

/** `new`: not probed yet. `behind`: it lacks data that this process has seen. `away`: it does not respond. */
export type ReplicaState = (typeof REPLICA_STATES)[number];

export type ReplicaWatch = ReturnType<typeof watchReplica>;

/** The probes of both servers; each rejects if its server does not respond. */
interface ReplicaProbes {
  /** The end of the primary's log. */
  readonly position: () => Promise<string>;
  /** True if the replica has applied the log up to `position` and has the event `seq`. */
  readonly holds: (position: string, seq: number) => Promise<boolean>;
}

interface ReplicaWatchDeps extends ReplicaProbes {
  /** The newest event seen by this process. */
  readonly seenSeq: () => number;
  /** Logs a message for operators. */
  readonly warn: (message: string, error?: unknown) => void;
}

/** The newest writes that this process has seen: the last event's number, and a counter of other commits. */
interface SeenWrites {
  readonly learnt: number;
  readonly seq: number;
}

/** The timeout of a probe, in real milliseconds. */
const CHECK_MS = SECOND;
/** The pause before the next probe in such a state, in real milliseconds. */
const REST_MS = { behind: 50, away: 5 * SECOND } as const;
/** Reports in a row before the replica lags, about 5 s: a healthy one is behind now and then. */
const LAGS_AFTER = 100;

/**
 * A log position after every visible write. Visible writes may be unflushed, since submissions do not wait for the flush,
 * and standbys receive only flushed log. In that case a message is written and flushed, without waiting for a standby.
 */
const POSITION = statement<[position: string]>({
  name: 'primary_position',
  text: `
    select case when pg_current_wal_insert_lsn() = pg_current_wal_flush_lsn() then pg_current_wal_flush_lsn()::text
      when set_config('synchronous_commit', 'local', true) = 'local' then ${DURABLE_SO_FAR} end`,
});

/** Also compares the event's number, since a server that is no standby of this primary has log positions too. */
const HOLDS = statement<[holds: boolean | null]>({
  name: 'replica_holds',
  text: `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
    and (select last_seq from platform where id = 1) >= $2::bigint`,
});

export function replicaProbes(primary: Statements, replica: Statements): ReplicaProbes {
  return {
    async position() {
      const [row] = await primary.rows(POSITION, []);
      if (row === undefined) throw new Error('The primary must return its log position (got no row).');
      return row[0];
    },
    async holds(position, seq) {
      const [row] = await replica.rows(HOLDS, [position, seq]);
      return row?.[0] === true;
    },
  };
}

/**
 * Tracks whether the replica is current. It probes only for a read after a change; simultaneous reads share one probe
 * of two short statements, so that the replica serves reads even under constant submissions.
 */
export function watchReplica({ position, holds, seenSeq, warn }: ReplicaWatchDeps) {
  let learnt = 0;
  let held: SeenWrites | null = null;
  let isResting = false;
  const found = stateLog(warn);
  const known = (): SeenWrites => ({ learnt, seq: seenSeq() });
  const covers = (writes: SeenWrites): boolean =>
    held !== null && held.learnt >= writes.learnt && held.seq >= writes.seq;
  const rest = (ms: number): void => {
    isResting = true;
    setTimeout(() => (isResting = false), ms).unref();
  };

  const compare = async (): Promise<void> => {
    const writes = known();
    const reached = await position().catch(() => null);
    // The primary does not respond. The waiting read goes to it, and reports the error.
    if (reached === null) return;
    try {
      const isHeld = await holds(reached, writes.seq);
      held = isHeld ? writes : null;
      found(isHeld ? 'up' : 'behind');
      if (!isHeld) rest(REST_MS.behind);
    } catch (error) {
      held = null;
      found('away', error);
      rest(REST_MS.away);
    }
  };
  const check = rerunAfter(() => withDeadline(CHECK_MS, compare));

  return {
    /** True if the replica has everything this process has seen and written. Probes it if that is unknown. */
    async isCurrent(): Promise<boolean> {
      const writes = known();
      if (covers(writes)) return true;
      if (isResting) return false;
      await check();
      return covers(writes);
    },
    /** Notes a commit: later reads must see it. */
    learn: (): void => void (learnt += 1),
    /** Requires a new probe before the next read: the replica may have restarted or failed. */
    doubt: (): void => void (held = null),
    state: found.state,
  };
}

/** Records the state, and logs when reads leave the replica and return to it. */
function stateLog(warn: ReplicaWatchDeps['warn']) {
  let state: ReplicaState = 'new';
  let behindInARow = 0;
  let hasWarned = false;
  const warnOnce = (message: string, error?: unknown): void => {
    if (!hasWarned) warn(`${message}; the primary answers in its place`, error);
    hasWarned = true;
  };
  const note = (now: ReplicaState, error?: unknown): void => {
    state = now;
    behindInARow = now === 'behind' ? behindInARow + 1 : 0;
    if (now === 'away') warnOnce('The replica of DATABASE_READ_URL does not answer', error);
    if (behindInARow === LAGS_AFTER) warnOnce('The replica of DATABASE_READ_URL lags behind');
    if (now !== 'up' || !hasWarned) return;
    hasWarned = false;
    warn('The replica of DATABASE_READ_URL is read again');
  };
  return Object.assign(note, { state: () => state });
}
