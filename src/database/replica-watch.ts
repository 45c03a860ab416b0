import { withDeadline } from '../deadline.ts';
import { rerunAfter } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import { DURABLE_SO_FAR, statement, type Statements } from './statements.ts';

export const REPLICA_STATES = ['new', 'up', 'behind', 'away'] as const;

/** `new`: not asked yet. `behind`: it lacks something that this process has seen. `away`: it does not answer. */
export type ReplicaState = (typeof REPLICA_STATES)[number];

/** What this process knows of its replica. */
export interface ReplicaWatch {
  /** Whether the replica now holds all that this process has seen and written; asks it where that is not known. */
  isCurrent(): Promise<boolean>;
  /** The process has learnt of a commit: reads that begin later must find it. */
  readonly learn: () => void;
  /** The replica is asked anew before it is read again: it may have been restarted, or it has failed. */
  readonly doubt: () => void;
  state(): ReplicaState;
}

/** What the two servers are asked; each rejects when its server does not answer. */
export interface ReplicaQuestions {
  /** How far the primary's log goes. */
  readonly position: () => Promise<string>;
  /** Whether the replica has applied the log up to `position` and has the event `seq`. */
  readonly holds: (position: string, seq: number) => Promise<boolean>;
}

interface ReplicaWatchDeps extends ReplicaQuestions {
  /** The newest event that this process has seen. */
  readonly seenSeq: () => number;
  /** Takes what an operator should know of. */
  readonly tell: (message: string, error?: unknown) => void;
}

/** How far what this process knows of goes: events by their number, other commits by how often it learnt of one. */
interface Known {
  readonly learnt: number;
  readonly seq: number;
}

/** How long, in real milliseconds, the primary and the replica may take to say where they are. */
const CHECK_MS = SECOND;
/** How long, in real milliseconds, the replica is left alone after it was found so. */
const REST_MS = { behind: 50, away: 5 * SECOND } as const;
/** A replica that applies what comes is found behind now and then. So often in a row takes it 5 s. */
const LAGS_AFTER = 100;

/**
 * Past all that can be seen. What a reader sees may not be flushed yet, since submissions do not wait for it, and a standby
 * receives what is flushed alone: then a message of one's own is, which waits for no standby.
 */
const POSITION = statement<[position: string]>({
  name: 'primary_position',
  text: `
    select case when pg_current_wal_insert_lsn() = pg_current_wal_flush_lsn() then pg_current_wal_flush_lsn()::text
      when set_config('synchronous_commit', 'local', true) = 'local' then ${DURABLE_SO_FAR} end`,
});

/** The event's number is compared too: the log of a server that is no standby of this primary has positions as well. */
const HOLDS = statement<[holds: boolean | null]>({
  name: 'replica_holds',
  text: `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
    and (select last_seq from platform where id = 1) >= $2::bigint`,
});

export function replicaQuestions(primary: Statements, replica: Statements): ReplicaQuestions {
  return {
    async position() {
      const [row] = await primary.rows(POSITION, []);
      if (row === undefined) throw new Error('The primary must say how far its log goes (got no row).');
      return row[0];
    },
    async holds(position, seq) {
      const [row] = await replica.rows(HOLDS, [position, seq]);
      return row?.[0] === true;
    },
  };
}

/**
 * Keeps watch over the replica. Nothing is asked while nobody reads or nothing has changed; readers at the same moment
 * share one check of two short statements, so that the replica is read also where submissions never cease.
 */
export function watchReplica({ position, holds, seenSeq, tell }: ReplicaWatchDeps): ReplicaWatch {
  let learnt = 0;
  let held: Known | null = null;
  let isResting = false;
  const found = stateLog(tell);
  const known = (): Known => ({ learnt, seq: seenSeq() });
  const covers = (asked: Known): boolean => held !== null && held.learnt >= asked.learnt && held.seq >= asked.seq;
  const rest = (ms: number): void => {
    isResting = true;
    setTimeout(() => (isResting = false), ms).unref();
  };

  const compare = async (): Promise<void> => {
    const asked = known();
    const reached = await position().catch(() => null);
    // The read that waits for this goes to the primary, and fails there.
    if (reached === null) return;
    try {
      const isHeld = await holds(reached, asked.seq);
      held = isHeld ? asked : null;
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
    async isCurrent() {
      const asked = known();
      if (covers(asked)) return true;
      if (isResting) return false;
      await check();
      return covers(asked);
    },
    learn: () => void (learnt += 1),
    doubt: () => void (held = null),
    state: () => found.state(),
  };
}

/** Notes each state that the replica is found in, and tells when it stops being read and when it is again. */
function stateLog(tell: ReplicaWatchDeps['tell']) {
  let state: ReplicaState = 'new';
  let behindInARow = 0;
  let isTold = false;
  const tellOnce = (message: string, error?: unknown): void => {
    if (!isTold) tell(`${message}; the primary answers in its place`, error);
    isTold = true;
  };
  const note = (now: ReplicaState, error?: unknown): void => {
    state = now;
    behindInARow = now === 'behind' ? behindInARow + 1 : 0;
    if (now === 'away') tellOnce('The replica of DATABASE_READ_URL does not answer', error);
    if (behindInARow === LAGS_AFTER) tellOnce('The replica of DATABASE_READ_URL lags behind');
    if (now !== 'up' || !isTold) return;
    isTold = false;
    tell('The replica of DATABASE_READ_URL is read again');
  };
  return Object.assign(note, { state: () => state });
}
