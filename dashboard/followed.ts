import { FOLLOWED, keep, kept } from './machine.ts';

/** A moment in milliseconds since 1970, and an agent's sums of all time. */
type Seen = readonly [at: number, rounds: number, points: number];

interface Followed {
  readonly name: string;
  /** At the beginning of the previous visit. */
  readonly since: Seen;
  /** When a page with the agent was opened last. */
  readonly last: Seen;
}

/** Pages opened within half an hour belong to one visit. */
const VISIT_GAP_MS = 30 * 60_000;

/** The agents that this browser follows, by id. */
export function followed(): Readonly<Record<string, Followed>> {
  try {
    return JSON.parse(kept(FOLLOWED) ?? 'null') ?? {};
  } catch {
    return {};
  }
}

function store(all: Readonly<Record<string, Followed>>): void {
  keep(FOLLOWED, JSON.stringify(all));
}

/** Follows the agent, or ends it if it is followed. */
export function toggleFollowed(id: number, name: string, now: Seen): void {
  const { [id]: found, ...others } = followed();
  store(found ? others : { ...others, [id]: { name, since: now, last: now } });
}

/** Call once for each opened page. The sums at the previous visit; `now` for an agent that is not followed. */
export function visited(id: number, now: Seen): Seen {
  const all = followed();
  const found = all[id];
  if (!found) return now;
  const since = now[0] - found.last[0] > VISIT_GAP_MS ? found.last : found.since;
  store({ ...all, [id]: { ...found, since, last: now } });
  return since;
}
