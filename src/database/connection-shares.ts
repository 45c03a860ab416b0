const NAMES = ['jobs', 'api', 'submissions', 'registrations', 'urgent', 'feed', 'exports'] as const;

export type PoolName = (typeof NAMES)[number];

/** With one for its turn, a second one lets the log of events be read while a job waits. */
const LEAST = { jobs: 2, api: 1, submissions: 1, registrations: 1, urgent: 1, feed: 1, exports: 1 };

/** By these is shared out what a process may take beyond the least. */
const WEIGHTS = { jobs: 8, api: 10, submissions: 6, registrations: 2, urgent: 2, feed: 3, exports: 3 };

/** How many connections each pool has at most. */
export type ConnectionShares = Readonly<Record<PoolName, number>>;

/** What a process without Redis takes beside its pools: one that others see it by, and three of its queue in the database. */
const BESIDE_POOLS = 4;

/** The most that one of many processes takes where nothing else is set, which is also the fewest that one without Redis works with. */
export const USUAL_CONNECTIONS = 12;

/** The same of a process without Redis, which has the database to itself. */
export const ALONE_CONNECTIONS = 34;

interface Sharing {
  /** Without Redis, the queue is in the database too. */
  readonly alone: boolean;
}

/** Shares out what a process may take in all: each further connection goes to the pool that has the fewest for its weight. */
export function shareOut(connections: number, { alone }: Sharing): ConnectionShares {
  const shares: Record<PoolName, number> = { ...LEAST };
  const filled = (name: PoolName): number => shares[name] / WEIGHTS[name];
  const given = NAMES.reduce((sum, name) => sum + shares[name], alone ? BESIDE_POOLS : 0);
  for (let left = connections - given; left > 0; left -= 1)
    shares[NAMES.reduce((first, name) => (filled(name) < filled(first) ? name : first))] += 1;
  return shares;
}

const NAMED = /^hourcast .* of (\d+)$/;

/** What a process's connections are called in the database, so that others can see what it may take in all. */
export function nameOfProcess(processId: string, connections: number): string {
  return `hourcast ${processId} of ${connections}`;
}

/** What the process of that name may take; null where the name is none of ours. */
export function takenBy(name: string): number | null {
  const [, connections] = NAMED.exec(name) ?? [];
  return connections === undefined ? null : Number(connections);
}
