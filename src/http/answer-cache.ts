import { LRUCache } from 'lru-cache';

import type { Bus } from '../backplane/backplane.ts';
import { type Clock, steadyMs } from '../clock.ts';
import { ANSWER_MS, type LimitName } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import { HOUR, SECOND } from '../rules/hours.ts';
import { bytesOf, compressedOnce, LEAST_COMPRESSED } from './compression.ts';
import type { Answer } from './exchange.ts';

const ANSWER_CACHE = {
  bytes: 64 * 1024 * 1024,
  overhead: 2048,
  /** Larger bodies are kept as bytes: Node copies a text twice, and bytes never. */
  textBytes: 8 * 1024,
  ms: SECOND,
  /** The message of a correction may be lost. */
  lastingMs: HOUR,
} as const;

/** `events`: commits with an event; `entries`: agents' commits without one; `corrections`: amendments of rounds and names. */
export type Dependency = 'events' | 'entries' | 'prices' | 'second' | 'corrections';

type Versions = Readonly<Record<Dependency, () => unknown>>;

export interface CachedAnswer extends Answer {
  readonly etag: string;
  /** Latin-1 unless large: Node writes the head and a text at once. */
  readonly body: string | Buffer;
  readonly encoding: 'latin1';
  readonly spends: readonly LimitUse[];
}

export interface LimitUse {
  readonly limit: LimitName;
  readonly endpoint: string;
}

export interface AnswerSource {
  readonly dependsOn: readonly Dependency[];
  readonly produce: () => Promise<ProducedAnswer>;
}

interface ProducedAnswer {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly spends?: readonly LimitUse[];
  /** Only a correction can change it. */
  readonly immutable: boolean;
  /** Its maximum age is `lastingMs`. Default: if immutable. */
  readonly lasts?: boolean;
  readonly uncacheable?: boolean;
}

export type AnswerCache = ReturnType<typeof openAnswerCache>;

type Stamp = readonly unknown[];

interface Entry extends CachedAnswer {
  readonly dependsOn: readonly Dependency[];
  readonly stamp: Stamp;
  readonly expiresAt: number;
  readonly size: number;
}

export interface CacheBounds {
  /** Maximum of bodies, keys and overhead; 0 caches nothing. */
  readonly bytes: number;
  /** Maximum age of answers that do not last, in real milliseconds. */
  readonly ms: number;
  /** The same of answers that last. */
  readonly lastingMs: number;
}

interface AnswerCacheDeps {
  readonly versions: Versions;
  readonly etagOf: (bytes: Buffer) => string;
  readonly bounds?: Partial<CacheBounds> | undefined;
}

/**
 * Stamps are taken before an answer is made, so any change meanwhile invalidates it. Changes without a message appear within a
 * second.
 */
export function openAnswerCache({ versions, etagOf, bounds }: AnswerCacheDeps) {
  const { bytes: maxBytes, ms, lastingMs } = { ...ANSWER_CACHE, ...bounds };
  const entries = new LRUCache<string, Entry>({
    // No entry fits into 1 byte; the cache rejects a maximum of 0.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ size }) => size,
  });
  const flights = new Map<string, { readonly stamp: Stamp; readonly answer: Promise<CachedAnswer> }>();

  const isCurrent = ({ dependsOn, stamp }: Pick<Entry, 'dependsOn' | 'stamp'>): boolean =>
    dependsOn.every((name, index) => Object.is(stamp[index], versions[name]()));

  let clearedAt = -Infinity;
  /** Evicts answers that are too old before others. It scans all entries, so it runs at most once in `ms`. */
  const makeRoom = (size: number): void => {
    const now = steadyMs();
    if (entries.calculatedSize + size <= maxBytes || now - clearedAt <= ms) return;
    clearedAt = now;
    const old: string[] = [];
    // Iterators take several times as long.
    entries.forEach(({ expiresAt }, key) => now > expiresAt && old.push(key));
    for (const key of old) entries.delete(key);
  };

  /** Compressed bytes count as part of the entry that has them. */
  const compressedBeside = (key: string, text: string | Buffer): CachedAnswer['compressedIn'] => {
    const bodyOf = (): Buffer => bytesOf(text, 'latin1');
    const compressedIn = compressedOnce(bodyOf, (bytes) => {
      const entry = entries.peek(key);
      if (entry?.compressedIn === compressedIn) entries.set(key, { ...entry, size: entry.size + bytes });
    });
    return compressedIn;
  };

  const make = async (key: string, stamp: Stamp, { dependsOn, produce }: AnswerSource): Promise<CachedAnswer> => {
    const madeAt = steadyMs();
    const lasting = { dependsOn: ['corrections'], stamp: [versions.corrections()] } as const;
    const produced = await withDeadline(ANSWER_MS, produce);
    const { body, headers = {}, spends = [], immutable, lasts = immutable, uncacheable = false } = produced;
    const bytes = unpooled(body);
    const text = bytes.length <= ANSWER_CACHE.textBytes ? bytes.toString('latin1') : bytes;
    const etag = etagOf(bytes);
    const compressedIn = bytes.length < LEAST_COMPRESSED ? undefined : compressedBeside(key, text);
    const answer = { status: 200, headers, etag, body: text, encoding: 'latin1', compressedIn, spends } as const;
    const kept = immutable ? lasting : { dependsOn, stamp };
    const holds = !uncacheable && isCurrent(kept);
    const size = bytes.length + 2 * key.length + ANSWER_CACHE.overhead;
    if (holds) {
      makeRoom(size);
      entries.set(key, { ...answer, ...kept, expiresAt: madeAt + (lasts ? lastingMs : ms), size });
    }
    return answer;
  };

  const fly = (key: string, stamp: Stamp, source: AnswerSource): Promise<CachedAnswer> => {
    const flying = flights.get(key);
    if (flying !== undefined && isSame(flying.stamp, stamp)) return flying.answer;
    const flight = { stamp, answer: make(key, stamp, source) };
    const end = (): void => void (flights.get(key) === flight && flights.delete(key));
    flights.set(key, flight);
    flight.answer.then(end, end);
    return flight.answer;
  };

  const current = (key: string): CachedAnswer | null => {
    const entry = entries.get(key);
    return entry !== undefined && steadyMs() <= entry.expiresAt && isCurrent(entry) ? entry : null;
  };

  return {
    current,
    async answer(key: string, source: AnswerSource): Promise<CachedAnswer> {
      return current(key) ?? fly(key, stampOf(versions, source.dependsOn), source);
    },
  };
}

/** Bytes of a pool would keep all its 64 KiB alive. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function stampOf(versions: Versions, dependsOn: readonly Dependency[]): Stamp {
  return dependsOn.map((name) => versions[name]());
}

function isSame(one: Stamp, other: Stamp): boolean {
  return one.every((value, index) => Object.is(value, other[index]));
}

interface ChangeSources {
  readonly bus: Pick<Bus, 'onNudge' | 'onChange'>;
  readonly feed: { onEvents(listener: (found: readonly { readonly kind: string }[]) => void): () => void };
  readonly clock: Pick<Clock, 'now'>;
  readonly market: { quotes(now: Date): unknown };
}

/** A nudge follows the commit, so an answer made after it reads the database, which may be ahead of the log's follower. */
export function answerVersions({ bus, feed, clock, market }: ChangeSources): Versions & { readonly stop: () => void } {
  const counts = { events: 0, amendments: 0, entries: 0, webhooks: 0, names: 0 };
  const leaving = [
    bus.onNudge(() => (counts.events += 1)),
    // The log also shows events whose nudge was lost.
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

/** Differs between a whole second and the time after it: an interval that ends at a whole second is over at that instant. */
function secondOf(now: Date): number {
  const seconds = now.getTime() / SECOND;
  return Math.floor(seconds) + Math.ceil(seconds);
}
