import { LRUCache } from 'lru-cache';

import type { Bus } from '../backplane/backplane.ts';
import { type Clock, steadyMs } from '../clock.ts';
import { ANSWER_MS, ANSWER_CACHE, type LimitName } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import { SECOND } from '../rules/hours.ts';
import type { Answer } from './exchange.ts';

/**
 * The kinds of dependencies: `events`, all that is written with an event or by operators; `entries`, what agents send without one;
 * `prices`, the market's present ones; `second`, the service's time to the second; `corrections`, what operators have done to
 * decided rounds and to the names in them.
 */
export type Dependency = 'events' | 'entries' | 'prices' | 'second' | 'corrections';

/** What each dependency is at now, or a promise of it: as long as these are the same, so is what depends on them. */
type Versions = Readonly<Record<Dependency, () => unknown>>;

/** A 200 that is shared by all who ask. */
export interface CachedAnswer extends Answer {
  /**
   * Its bytes, as Latin-1 characters unless it is large: Node sends head and such a text with one write of one buffer, which takes
   * half the processor time of a head and a buffer.
   */
  readonly body: string | Buffer;
  readonly encoding: 'latin1';
  readonly spends: readonly Spending[];
}

/** A budget that each who is answered spends, and for what. */
export interface Spending {
  readonly limit: LimitName;
  readonly asked: string;
}

/** How an answer is made, and how long it holds. */
export interface Recipe {
  readonly dependsOn: readonly Dependency[];
  /** Shared by all who ask meanwhile, as is what it throws. */
  readonly produce: () => Promise<Produced>;
}

interface Produced {
  readonly body: string;
  /** What the answer carries beside what all do; nothing unless given. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Nothing unless given: what is not known before the answer is. */
  readonly spends?: readonly Spending[];
  /** It will never be another, but for a correction. */
  readonly immutable: boolean;
  /** It is for those alone who wait for it, since it tells of a failure. */
  readonly uncacheable?: boolean;
}

export interface AnswerCache {
  /** The answer under `key` if it still holds, without making one. */
  current(key: string): CachedAnswer | null | Promise<CachedAnswer | null>;
  /** The answer under `key`, made now unless one holds: once, however many ask. */
  answer(key: string, recipe: Recipe): Promise<CachedAnswer>;
}

/** The values of an answer's dependencies, in their order, taken before it was made. */
type Stamp = readonly unknown[];

interface Entry extends CachedAnswer {
  readonly dependsOn: readonly Dependency[];
  readonly stamp: Stamp;
  /** Whether it holds as long as its dependencies are the same, however long that is. */
  readonly lasts: boolean;
  /** By the steady clock. */
  readonly madeAt: number;
  readonly size: number;
}

interface Flight {
  readonly stamp: Stamp;
  readonly answer: Promise<CachedAnswer>;
}

/** How much is kept, and for how long at the most what is not for good. */
export interface CacheBounds {
  /** Of bodies, keys and what they cost beside; 0: nothing is kept. */
  readonly bytes: number;
  /** In real milliseconds. */
  readonly ms: number;
}

interface AnswerCacheDeps {
  readonly versions: Versions;
  readonly etagOf: (bytes: Buffer) => string;
  readonly bounds?: Partial<CacheBounds> | undefined;
}

/**
 * Answers that many ask for, each made once for each state of what it depends on. A stamp is taken before an answer is made,
 * so that whatever changes meanwhile makes it void. What no message tells shows all the same: an answer that is not for good is
 * kept for a second at the most. When there are too many, those that were asked for longest ago go first.
 */
export function openAnswerCache({ versions, etagOf, bounds }: AnswerCacheDeps): AnswerCache {
  const { bytes: maxBytes, ms } = { ...ANSWER_CACHE, ...bounds };
  // Those that were asked for longest ago go first.
  const entries = new LRUCache<string, Entry>({
    // Nothing has a size of 0, so that nothing is kept where nothing may be.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ size }) => size,
  });
  const flights = new Map<string, Flight>();

  const make = async (key: string, stamp: Stamp, { dependsOn, produce: bodyOf }: Recipe): Promise<CachedAnswer> => {
    const madeAt = steadyMs();
    const lasting = { dependsOn: ['corrections'], stamp: [versions.corrections()] } as const;
    const { body, headers = {}, spends = [], immutable, uncacheable = false } = await withDeadline(ANSWER_MS, bodyOf);
    const bytes = Buffer.from(body);
    const text = bytes.length <= ANSWER_CACHE.textBytes ? bytes.toString('latin1') : bytes;
    const answer = { status: 200, headers, etag: etagOf(bytes), body: text, encoding: 'latin1', spends } as const;
    const kept = immutable ? lasting : { dependsOn, stamp };
    const holds = !uncacheable && isSame(kept.stamp, await stampOf(versions, kept.dependsOn));
    const size = bytes.length + 2 * key.length + ANSWER_CACHE.overhead;
    if (holds) entries.set(key, { ...answer, ...kept, lasts: immutable, madeAt, size });
    return answer;
  };

  const fly = (key: string, stamp: Stamp, recipe: Recipe): Promise<CachedAnswer> => {
    const flying = flights.get(key);
    if (flying !== undefined && isSame(flying.stamp, stamp)) return flying.answer;
    const flight: Flight = { stamp, answer: make(key, stamp, recipe) };
    const end = (): void => void (flights.get(key) === flight && flights.delete(key));
    flights.set(key, flight);
    flight.answer.then(end, end);
    return flight.answer;
  };

  const current = (key: string): CachedAnswer | null | Promise<CachedAnswer | null> => {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    if (!entry.lasts && steadyMs() - entry.madeAt > ms) return null;
    const { stamp } = entry;
    const now = stampOf(versions, entry.dependsOn);
    if (now instanceof Promise) return now.then((settled) => (isSame(stamp, settled) ? entry : null));
    return isSame(stamp, now) ? entry : null;
  };

  return {
    current,
    async answer(key, recipe) {
      return (await current(key)) ?? fly(key, await stampOf(versions, recipe.dependsOn), recipe);
    },
  };
}

function stampOf(versions: Versions, dependsOn: readonly Dependency[]): Stamp | Promise<Stamp> {
  const stamp = dependsOn.map((name) => versions[name]());
  return stamp.some((value) => value instanceof Promise) ? Promise.all(stamp) : stamp;
}

function isSame(one: Stamp, other: Stamp): boolean {
  return one.every((value, place) => Object.is(value, other[place]));
}

/** Where changes come from. */
interface Changing {
  readonly bus: Pick<Bus, 'onNudge' | 'onChange'>;
  /** Calls `listener` with events that were found in the log; the returned function ends that. */
  readonly feed: { onEvents(listener: (found: readonly { readonly kind: string }[]) => void): () => void };
  readonly clock: Pick<Clock, 'now'>;
  /** The same object as long as prices are the same. */
  readonly market: { quotes(now: Date): unknown };
}

/**
 * What answers depend on, as this process knows it. A nudge comes after the commit, at once in the process that commits: an
 * answer made after it reads the database, not the log that is still being followed. `stop` ends the listening.
 */
export function answerVersions({ bus, feed, clock, market }: Changing): Versions & { readonly stop: () => void } {
  const counts = { events: 0, amendments: 0, entries: 0, webhooks: 0, names: 0 };
  const leaving = [
    bus.onNudge(() => (counts.events += 1)),
    // Events whose nudge was lost are found by looking.
    feed.onEvents((found) => {
      counts.events += 1;
      if (found.some(({ kind }) => kind === 'ROUND_AMENDED')) counts.amendments += 1;
    }),
    bus.onChange((change) => (counts[change] += 1)),
  ];
  return {
    events: () => counts.events + counts.names,
    entries: () => counts.entries + counts.webhooks,
    corrections: () => counts.amendments + counts.names,
    prices: () => market.quotes(clock.now()),
    second: () => secondOf(clock.now()),
    stop: () => {
      for (const leave of leaving) leave();
    },
  };
}

/** Different for each whole second and for the time between two: what ends at a whole second is over at its first instant. */
function secondOf(now: Date): number {
  const seconds = now.getTime() / SECOND;
  return Math.floor(seconds) + Math.ceil(seconds);
}
