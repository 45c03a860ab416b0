import type { Clock } from '../clock.ts';
import type { PendingWork } from '../in-flight.ts';
import type { Intervals, Shares } from './bounds.ts';
import { type Execute, openExecutions, openQueues, type Spend, type AddressQueues } from './executions.ts';
import type { LogFollower } from './log-follower.ts';
import { logSubscription } from './log-subscription.ts';
import type { Operation } from './operation.ts';
import { openSharedExecution, type Sink } from './shared-execution.ts';
import { stateSubscription } from './state-subscription.ts';
import { type Subscription, SUBSCRIPTION_FIELDS, type Tick } from './subscription-fields.ts';

export type Hub = ReturnType<typeof openHub>;

export interface EntryCount {
  readonly roundId: number;
  readonly totalEntries: number;
  readonly seq: number;
}

interface HubDeps {
  readonly log: LogFollower;
  readonly clock: Clock;
  readonly intervals: Intervals;
  readonly countEntries: () => Promise<EntryCount | null>;
  readonly spend: Spend;
  readonly kept: Shares;
  readonly work: PendingWork;
  readonly report: (error: unknown) => void;
}

const SUBSCRIBER_BYTES = 512;

export function openHub(deps: HubDeps) {
  const { log, work, kept } = deps;
  const queues = openQueues();
  const subscriptions = new Map<string, Subscription>();
  const stopEvents = log.onEvents((events) => {
    for (const subscription of subscriptions.values()) subscription.onEvents(events);
  });
  const timers = startTimers(deps, subscriptions);
  /** Its memory counts for the first subscriber's address until the last has left. */
  const open = ({ address }: Sink, operation: Operation): Subscription | null => {
    const giveBack = kept.take(address, operation.bytes);
    if (giveBack === null) return null;
    const execute: Execute = (roots) => operation.execute(roots).map(work.track);
    return openSubscription({ ...deps, queues }, { ...operation, execute }, () => {
      subscriptions.delete(operation.key);
      giveBack();
    });
  };
  return {
    /** Null if the sink's address has reached its memory limit. A subscriber that cannot begin or continue is removed, and its sink fails. */
    subscribe(sink: Sink, operation: Operation): (() => void) | null {
      const { key, after } = operation;
      const giveBack = kept.take(sink.address, SUBSCRIBER_BYTES);
      const subscription = subscriptions.get(key) ?? open(sink, operation);
      if (giveBack === null || subscription === null) {
        giveBack?.();
        return null;
      }
      subscriptions.set(key, subscription);
      const leave = subscription.join(sink, after);
      return () => {
        leave();
        giveBack();
      };
    },
    stop(): void {
      stopEvents();
      queues.stop();
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** An execution without statements need not wait for others. */
const UNLIMITED: Pick<AddressQueues, 'take'> = { take: (_queue, work) => work() };

function openSubscription(
  deps: Pick<HubDeps, 'log' | 'clock' | 'spend'> & { readonly queues: AddressQueues },
  operation: Operation,
  onEmpty: () => void,
): Subscription {
  const { field, args, isPlain } = operation;
  const row = SUBSCRIPTION_FIELDS[field];
  if (row === undefined) throw new Error(`The subscription field ${field} has no row in SUBSCRIPTION_FIELDS`);
  const queues = row.kind === 'log' && isPlain ? UNLIMITED : deps.queues;
  const executions = openExecutions({ ...operation, queues });
  const shared = openSharedExecution({ executions, spend: deps.spend, onEmpty });
  return row.kind === 'log'
    ? logSubscription({ ...deps, shared, carries: (event) => row.carries(event, args) })
    : stateSubscription({ ...deps, shared, row, args });
}

function startTimers(
  { log, intervals, countEntries, work, report }: HubDeps,
  subscriptions: ReadonlyMap<string, Subscription>,
): NodeJS.Timeout[] {
  const listeningTo = (name: Tick): Subscription[] => [...subscriptions.values()].filter(({ tick }) => tick === name);
  const checkEntries = entriesCheck({ log, countEntries }, ({ roundId, seq }) => {
    for (const subscription of listeningTo('entries')) subscription.onTick(roundId, seq);
  });
  return [
    setInterval(() => {
      for (const subscription of subscriptions.values()) subscription.heartbeat();
    }, intervals.heartbeatMs),
    setInterval(() => {
      for (const subscription of listeningTo('market')) subscription.onTick(null, log.lastSeq());
    }, intervals.marketMs),
    setInterval(() => {
      if (listeningTo('entries').length > 0) work.track(checkEntries()).catch(report);
    }, intervals.entriesMs),
  ];
}

function entriesCheck(
  { log, countEntries }: Pick<HubDeps, 'log' | 'countEntries'>,
  onChange: (found: EntryCount) => void,
): () => Promise<void> {
  let known: EntryCount | null = null;
  let checking = false;
  return async () => {
    if (checking) return;
    checking = true;
    try {
      const found = await countEntries();
      // The count belongs to another state of the log than was sent: the next check decides.
      if (found === null || found.seq !== log.lastSeq()) return;
      const before = known?.roundId === found.roundId ? known.totalEntries : 0;
      known = found;
      if (found.totalEntries !== before) onChange(found);
    } finally {
      checking = false;
    }
  };
}
