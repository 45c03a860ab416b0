import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from '@jest/globals';

import { localBus } from '../../src/backplane/local.ts';
import {
  type AnswerSource,
  answerVersions,
  type CacheBounds,
  type Dependency,
  openAnswerCache,
} from '../../src/http/answer-cache.ts';
import { manualClock } from '../support/manual-clock.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What is in use, whatever has been left lying about by then. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A store over versions that the test sets, which notes each answer that is made. */
function store(bounds: Partial<CacheBounds> = {}) {
  const now: Record<Dependency, unknown> = { events: 0, entries: 0, prices: 'first', second: 0, corrections: 0 };
  const made: string[] = [];
  const others = { entries: () => now.entries, second: () => now.second, corrections: () => now.corrections };
  const kept = openAnswerCache({
    versions: { events: () => now.events, prices: () => now.prices, ...others },
    etagOf: (bytes) => `"${bytes.length}"`,
    bounds: { ms: 60_000, ...bounds },
  });
  const recipe = (body: string, more: Partial<AnswerSource> & { immutable?: boolean } = {}): AnswerSource => ({
    dependsOn: ['events'],
    produce: async () => {
      made.push(body);
      return { body, immutable: more.immutable ?? false };
    },
    ...more,
  });
  return { kept, now, made, recipe };
}

const textOf = async (answer: unknown): Promise<string | undefined> => {
  const settled = await answer;
  return settled !== null && typeof settled === 'object' && 'body' in settled ? String(settled.body) : undefined;
};

const away = () => Promise.reject(new Error('away'));

describe('cached answer', () => {
  test('an answer is computed once for concurrent and later requests', async () => {
    const { kept, made, recipe } = store();
    const answers = Array.from({ length: 100 }, () => kept.answer('/one', recipe('body')));
    expect(new Set((await Promise.all(answers)).map(({ body }) => body)).size).toBe(1);
    expect(await textOf(kept.answer('/one', recipe('other')))).toBe('body');
    expect(kept.current('/one')?.body).toBe('body');
    expect(made).toEqual(['body']);
  });

  test('a body of bytes has memory of its own', async () => {
    const { kept, recipe } = store();
    const { body } = await kept.answer('/one', recipe('x'.repeat(12_000)));
    expect(body instanceof Buffer && body.buffer.byteLength).toBe(12_000);
  });

  test('an answer is computed again once one of its dependencies changes', async () => {
    const { kept, now, recipe } = store();
    const dependsOn = ['events', 'prices'] as const;
    await kept.answer('/one', recipe('body', { dependsOn }));
    now.entries = 1;
    expect(kept.current('/one')?.body).toBe('body');
    now.prices = 'second';
    expect(kept.current('/one')).toBeNull();
    expect(await textOf(kept.answer('/one', recipe('next', { dependsOn })))).toBe('next');
    now.events = 1;
    expect(kept.current('/one')).toBeNull();
  });

  test('an answer outdated during computation is returned to earlier requests only', async () => {
    const { kept, now, made, recipe } = store();
    const making = Promise.withResolvers<void>();
    const slow = async () => {
      await making.promise;
      return { body: 'before', immutable: false };
    };
    const before = kept.answer('/one', recipe('', { produce: slow }));
    await Promise.resolve();
    now.events = 1;
    expect(await textOf(kept.answer('/one', recipe('after')))).toBe('after');
    making.resolve();
    expect(await textOf(before)).toBe('before');
    expect(await textOf(kept.answer('/one', recipe('again')))).toBe('after');
    expect(made).toEqual(['after']);
  });

  test('an immutable answer is valid whatever changes', async () => {
    const { kept, now, recipe } = store({ ms: -1 });
    await kept.answer('/one', recipe('body', { immutable: true }));
    now.events = 1;
    expect(kept.current('/one')?.body).toBe('body');
  });

  test('an immutable answer is computed again after a correction', async () => {
    const { kept, now, recipe } = store({ ms: -1 });
    await kept.answer('/one', recipe('first', { immutable: true }));
    now.corrections = 1;
    expect(kept.current('/one')).toBeNull();
    expect(await textOf(kept.answer('/one', recipe('second', { immutable: true })))).toBe('second');
  });

  test('an immutable answer expires too: the message of its correction may be lost', async () => {
    const { kept, recipe } = store({ lastingMs: -1 });
    await kept.answer('/one', recipe('body', { immutable: true }));
    expect(kept.current('/one')).toBeNull();
  });

  test('a mutable answer expires after its lifetime', async () => {
    const { kept, recipe } = store({ ms: -1 });
    await kept.answer('/one', recipe('body'));
    expect(kept.current('/one')).toBeNull();
  });

  test('an answer that lasts is valid beyond its lifetime, until a dependency changes', async () => {
    const { kept, now, recipe } = store({ ms: -1 });
    await kept.answer('/one', recipe('', { produce: async () => ({ body: 'body', immutable: false, lasts: true }) }));
    expect(kept.current('/one')?.body).toBe('body');
    now.events = 1;
    expect(kept.current('/one')).toBeNull();
  });

  test('a failure is returned to all waiting requests, and the next request tries again', async () => {
    const { kept, recipe } = store();
    const answers = [1, 2, 3].map(() => kept.answer('/one', recipe('', { produce: away })));
    for (const one of answers) await expect(one).rejects.toThrow('away');
    expect(await textOf(kept.answer('/one', recipe('body')))).toBe('body');
  });
});

const longKey = (n: number): string => `/long?n=${n}&more=${'x'.repeat(10_000)}`;

describe('cache', () => {
  test('the cache stays within its bytes and evicts the least recently used', async () => {
    const { kept, made, recipe } = store({ bytes: 1_000_000 });
    const body = 'x'.repeat(1_000);
    const before = heapUsed();
    for (let n = 0; n < 100_000; n += 1) {
      await kept.answer(`/many?n=${n}`, recipe(body, { produce: async () => ({ body, immutable: n % 2 === 0 }) }));
      if (n % 100 === 0) await kept.answer('/often', recipe('often'));
    }
    expect(heapUsed() - before).toBeLessThan(5_000_000);
    expect(kept.current('/often')?.body).toBe('often');
    expect(made).toEqual(['often']);
    expect(kept.current('/many?n=99999')?.body).toBe(body);
    expect(kept.current('/many?n=99000')).toBeNull();
  });

  test('long keys count', async () => {
    const { kept, recipe } = store({ bytes: 100_000 });
    for (let n = 0; n < 10; n += 1) await kept.answer(longKey(n), recipe('body'));
    const found = Array.from({ length: 10 }, (_, n) => kept.current(longKey(n)) !== null);
    expect(found).toEqual([...Array<boolean>(6).fill(false), ...Array<boolean>(4).fill(true)]);
  });

  test('answers that are too old go before one that lasts', async () => {
    const { kept, recipe } = store({ bytes: 10_000, ms: -1 });
    const body = 'x'.repeat(1_000);
    await kept.answer('/lasting', recipe(body, { immutable: true }));
    for (let n = 0; n < 10; n += 1) await kept.answer(`/old?n=${n}`, recipe(body));
    expect(kept.current('/lasting')?.body).toBe(body);
  });

  test('compressed bytes are kept with their answer, and count', async () => {
    const { kept, recipe } = store({ bytes: 22_500 });
    const noise = Array.from({ length: 6_000 }, (_, n) => ((n * 7_919) % 9_973).toString(36))
      .join('')
      .slice(0, 12_000);
    const first = await kept.answer('/one', recipe(noise));
    const bytes = await first.compressedIn?.('br');
    expect((await kept.answer('/one', recipe('other'))).compressedIn).toBe(first.compressedIn);
    expect(bytes?.length).toBeGreaterThan(5_400);
    await kept.answer('/two', recipe('x'.repeat(1_000)));
    expect(kept.current('/one')).toBeNull();
  });

  test('a cache of 0 bytes stores nothing', async () => {
    const { kept, recipe } = store({ bytes: 0 });
    expect(await textOf(kept.answer('/one', recipe('body')))).toBe('body');
    expect(kept.current('/one')).toBeNull();
  });
});

const nothing = (): void => {};

/** `changed` names the versions that differ from those at its last call. */
function watched() {
  const bus = localBus();
  const clock = manualClock('2026-01-01T12:00:00.000Z');
  let found: (events: readonly { kind: string }[]) => void = nothing;
  const onEvents = (listener: typeof found) => {
    found = listener;
    return () => (found = nothing);
  };
  const versions = answerVersions({ bus, feed: { onEvents }, clock, market: { quotes: () => null } });
  const all = ['events', 'entries', 'corrections', 'second'] as const;
  let before = all.map((name) => versions[name]());
  const changed = (): readonly string[] => {
    const now = all.map((name) => versions[name]());
    const names = all.filter((_, place) => now[place] !== before[place]);
    before = now;
    return names;
  };
  return { bus, clock, changed, found: (kind: string) => found([{ kind }]) };
}

describe('versions', () => {
  test('a nudge changes answers at once, and an event of the log also without its nudge', () => {
    const { bus, changed, found } = watched();
    bus.nudge();
    expect(changed()).toEqual(['events']);
    found('ROUND_OPENED');
    expect(changed()).toEqual(['events']);
    found('ROUND_AMENDED');
    expect(changed()).toEqual(['events', 'corrections']);
  });

  test('a new name changes also answers that no event changes', () => {
    const { bus, changed } = watched();
    bus.publish('names');
    expect(changed()).toEqual(['events', 'corrections']);
    bus.publish('entries');
    expect(changed()).toEqual(['entries']);
    bus.publish('webhooks');
    expect(changed()).toEqual(['entries']);
  });

  test('a whole second differs from the time after it', () => {
    const { clock, changed } = watched();
    clock.set('2026-01-01T12:00:00.001Z');
    expect(changed()).toEqual(['second']);
    clock.set('2026-01-01T12:00:00.999Z');
    expect(changed()).toEqual([]);
    clock.set('2026-01-01T12:00:01.000Z');
    expect(changed()).toEqual(['second']);
  });
});
