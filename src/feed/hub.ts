import type { Clock } from '../clock.ts';
import { type Channel, openChannel, type Operation } from './channel.ts';
import type { Feed } from './feed.ts';
import type { Intervals } from './intervals.ts';
import type { Sink } from './sink.ts';
import type { Tick } from './subscription-sources.ts';
import type { Execute } from './topic.ts';
import type { UnderWay } from '../under-way.ts';

/** Brings subscribers of the same operation together, and tells them when there is something to hear. */
export interface Hub {
  /** Answers how to leave again. A subscription that cannot begin, or go on, leaves and fails its sink. */
  subscribe(sink: Sink, operation: Operation): () => void;
  stop(): void;
}

/** How many predictions the active round has. */
export interface EntryCount {
  readonly roundId: number;
  readonly totalEntries: number;
}

export interface HubNeeds {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly intervals: Intervals;
  readonly countEntries: () => Promise<EntryCount | null>;
  readonly work: UnderWay;
  readonly report: (error: unknown) => void;
}

export function openHub({ feed, clock, intervals, countEntries, work, report }: HubNeeds): Hub {
  const channels = new Map<string, Channel>();
  const hear = (name: Tick['name']): Channel[] => [...channels.values()].filter(({ tick }) => tick === name);
  const stopEvents = feed.onEvents((events) => {
    for (const channel of channels.values()) channel.onEvents(events);
  });
  const lookAtEntries = entriesWatch({ feed, countEntries }, (roundId, seq) => {
    for (const channel of hear('entries')) channel.onTick({ name: 'entries', roundId }, seq);
  });
  const timers = [
    setInterval(() => {
      for (const channel of channels.values()) channel.heartbeat();
    }, intervals.heartbeatMs),
    setInterval(() => {
      for (const channel of hear('market')) channel.onTick({ name: 'market' }, feed.lastSeq());
    }, intervals.marketMs),
    setInterval(() => {
      if (hear('entries').length > 0) work.track(lookAtEntries()).catch(report);
    }, intervals.entriesMs),
  ];
  return {
    subscribe(sink, operation) {
      const { key, after } = operation;
      const execute: Execute = (root) => work.track(operation.execute(root));
      const channel =
        channels.get(key) ?? openChannel({ feed, clock }, { ...operation, execute }, () => channels.delete(key));
      channels.set(key, channel);
      return channel.join(sink, after);
    },
    stop() {
      stopEvents();
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** Looks at the active round's entry count, and tells when it is another than at the last look. */
function entriesWatch(
  { feed, countEntries }: Pick<HubNeeds, 'feed' | 'countEntries'>,
  tell: (roundId: number, seq: number) => void,
): () => Promise<void> {
  let known: EntryCount | null = null;
  let looking = false;
  return async () => {
    if (looking) return;
    looking = true;
    try {
      const seq = feed.lastSeq();
      const found = await countEntries();
      // What was found may be over already; the next look will tell.
      if (found === null || seq !== feed.lastSeq()) return;
      const before = known?.roundId === found.roundId ? known.totalEntries : 0;
      known = found;
      if (found.totalEntries !== before) tell(found.roundId, seq);
    } finally {
      looking = false;
    }
  };
}
