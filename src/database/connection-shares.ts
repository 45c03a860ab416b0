const NAMES = ['jobs', 'api', 'submissions', 'registrations', 'urgent', 'feed', 'exports'] as const;

export type PoolName = (typeof NAMES)[number];

/** Two for jobs: the event log is read while a job waits. */
const LEAST = { jobs: 2, api: 1, submissions: 1, registrations: 1, urgent: 1, feed: 1, exports: 1 };

/** The weights by which further connections are shared. */
const WEIGHTS = { jobs: 8, api: 10, submissions: 6, registrations: 2, urgent: 2, feed: 3, exports: 3 };

/** The maximum of each pool. */
export type ConnectionShares = Readonly<Record<PoolName, number>>;

/** Connections outside the pools in a process without Redis: one lets others detect it, three belong to its queue. */
const BESIDE_POOLS = 4;

/** The default of one of many processes, and the minimum of one without Redis. */
export const USUAL_CONNECTIONS = 12;

/** The default of a process without Redis, which has the database to itself. */
export const ALONE_CONNECTIONS = 34;

interface ShareOptions {
  /** Without Redis; the queue is in the database too. */
  readonly alone: boolean;
}

/** Divides a process's connections: each further one goes to the pool with the lowest count per weight. */
export function shareOut(connections: number, { alone }: ShareOptions): ConnectionShares {
  const shares: Record<PoolName, number> = { ...LEAST };
  const filled = (name: PoolName): number => shares[name] / WEIGHTS[name];
  const given = NAMES.reduce((sum, name) => sum + shares[name], alone ? BESIDE_POOLS : 0);
  for (let left = connections - given; left > 0; left -= 1)
    shares[NAMES.reduce((first, name) => (filled(name) < filled(first) ? name : first))] += 1;
  return shares;
}

const NAMED = /^hourcast .* of (\d+)$/;

/** The application name of a process's connections. Other processes read its maximum from it. */
export function nameOfProcess(processId: string, connections: number): string {
  return `hourcast ${processId} of ${connections}`;
}

/** The maximum in such a name; null for another name. */
export function takenBy(name: string): number | null {
  const [, connections] = NAMED.exec(name) ?? [];
  return connections === undefined ? null : Number(connections);
}
