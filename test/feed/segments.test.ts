import { beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { forgetOldEvents } from '../../src/feed/event-log.ts';
import { expectErrorBody } from '../support/refusals.ts';
import { startService, type TestService } from '../support/service.ts';
import { shared, sharedDatabase, sharedService } from '../support/shared.ts';
import { endOfLog, publish, seqs } from '../support/written-events.ts';

const HEAD = '/api/events/head';
const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_A_SECOND = 'public, max-age=1';
const AHEAD = 1_000_000;

const LAST = 2345;

const service = sharedService();
const growing = sharedService(() => ({ rateLimits: true }));
const database = sharedDatabase();
const restored = shared(async (closing) => {
  const before = await startService({ database });
  await publish(before, 1500 - (await endOfLog(before)));
  // As a restore does (src/backup/restore.ts).
  const kysely = before.newEm().getKysely();
  await sql`update platform set last_seq = last_seq + ${AHEAD}::int`.execute(kysely);
  await sql`update log_state set epoch = epoch + 1`.execute(kysely);
  const start = before.clock.now().toISOString();
  await before.stop();
  const after = await startService({ database, start });
  closing.defer(() => after.stop());
  return after;
});

interface Listed {
  readonly seq: number;
}

/** Made-up events do not fit the reference: these answers are not compared with it. */
async function ask(
  { url }: Pick<TestService, 'url'>,
  path: string,
  {
    method = 'GET',
    headers = {},
  }: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const response = await fetch(url + path, { method, headers });
  const text = await response.text();
  const header = (name: string): string => response.headers.get(name) ?? '';
  return { status: response.status, header, text, body: text === '' ? null : JSON.parse(text) };
}

/** Otherwise `fetch` requires a full answer. */
const conditional = (etag: string) => ({ 'if-none-match': etag, 'cache-control': 'max-age=0' });

const seqsOf = (events: readonly Listed[]): readonly number[] => events.map(({ seq }) => seq);

/** The data of each event that the stream sends, up to one, as they are. */
async function streamed({ url }: TestService, last: number): Promise<readonly string[]> {
  const ending = new AbortController();
  const { body } = await fetch(`${url}/api/events?after=0`, { signal: ending.signal });
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes(`\nid: ${last}\n`) && text.endsWith('\n\n')) break;
  }
  ending.abort();
  const messages = text.split('\n\n').filter((message) => !message.includes('HEARTBEAT'));
  return messages.flatMap((message) => /^data: (.*)$/m.exec(message)?.[1] ?? []);
}

/** Reads the table alone. */
async function storedRows({ newEm }: TestService): Promise<readonly unknown[]> {
  const rows = await sql<{ seq: number; kind: string; at: Date; round_id: number | null; payload: object }>`
    select seq, kind, at, round_id, (select coalesce(
        jsonb_object_agg(lower(regexp_replace(key, '([A-Z])', '_\\1', 'g')), value), '{}') from jsonb_each(payload)
      ) as payload from events order by seq`.execute(newEm().getKysely());
  return rows.rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

describe('a log of 2,345 events', () => {
  beforeAll(async () => {
    // The first are real.
    await service.nextHour();
    const made = LAST - (await endOfLog(service));
    await publish(service, made - 1000);
    await publish(service, 1000);
  });

  test('segments and head have the bytes of the stream, and all that is stored', async () => {
    const segments = await Promise.all([1, 2].map((n) => ask(service, `/api/events/segments/${n}?epoch=1`)));
    const head = await ask(service, HEAD);
    expect(segments.map(({ body: { events: _events, ...more } }) => more)).toEqual([
      { epoch: 1, segment: 1, next_segment: 2 },
      { epoch: 1, segment: 2, next_segment: 3 },
    ]);
    const listed = [...segments, head].map(({ text }) => /"events":\[(.*)\]\}$/.exec(text)?.[1]);
    const sent = await streamed(service, LAST);
    expect(listed).toEqual([sent.slice(0, 1000), sent.slice(1000, 2000), sent.slice(2000)].map((all) => all.join()));
    expect([...segments, head].flatMap(({ body }) => body.events)).toEqual(await storedRows(service));
  });

  test('the head names the epoch, the bounds and the address of each whole segment', async () => {
    const { status, header, body } = await ask(service, HEAD);
    expect({ status, caching: header('cache-control') }).toEqual({ status: 200, caching: FOR_A_SECOND });
    const { events, ...named } = body;
    expect(named).toEqual({
      epoch: 1,
      last_seq: LAST,
      oldest_seq: 1,
      first_segment: 1,
      last_segment: 2,
      segment_path: '/api/events/segments/{n}?epoch=1',
    });
    expect(seqsOf(events)).toEqual(seqs(2001, LAST));
  });

  test.each([
    { path: '/api/events/segments/2?epoch=1', caching: FOR_EVER },
    { path: '/api/events/segments/2', caching: FOR_A_SECOND },
    { path: HEAD, caching: FOR_A_SECOND },
  ])('$path has a strong ETag for each encoding, and 304 for it', async ({ path, caching }) => {
    const etags = new Set<string>();
    const texts = new Set<string>();
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': encoding };
      const full = await ask(service, path, { headers });
      const etag = full.header('etag');
      expect(etag).toMatch(/^"[^"]+"$/);
      const seen = { status: 200, caching, vary: 'Accept-Encoding' };
      const shown = ({ status, header }: typeof full) => ({
        status,
        caching: header('cache-control'),
        vary: header('vary'),
      });
      expect(shown(full)).toEqual(seen);
      const again = await ask(service, path, { headers: { ...headers, ...conditional(etag) } });
      expect({ ...shown(again), size: again.text.length, etag: again.header('etag') }).toEqual({
        ...seen,
        status: 304,
        size: 0,
        etag,
      });
      const head = await ask(service, path, { method: 'HEAD', headers });
      expect({ ...shown(head), size: head.text.length, etag: head.header('etag') }).toEqual({ ...seen, size: 0, etag });
      etags.add(etag);
      texts.add(full.text);
    }
    expect([etags.size, texts.size]).toEqual([3, 1]);
  });

  test.each([
    [
      'segments/3?epoch=1',
      404,
      'unknown_segment',
      /n must be from 1 to 2, .*\(got 3\)\. GET \/api\/events\/head names/,
    ],
    ['segments/2147483', 404, 'unknown_segment', /got 2147483/],
    [
      'segments/1?epoch=2',
      404,
      'unknown_segment',
      /epoch must be 1, that of the log \(got 2\)\. GET \/api\/events\/head/,
    ],
    ['segments/0', 400, 'invalid_parameter', /n must be a whole number from 1 to 2147483 \(got "0"\)/],
    ['segments/2147484', 400, 'invalid_parameter', /got "2147484"/],
    ['segments/1e99', 400, 'invalid_parameter', /got "1e99"/],
    ['segments/abc', 400, 'invalid_parameter', /got "abc"/],
    ['segments/-1', 400, 'invalid_parameter', /got "-1"/],
    ['segments/1?epoch=x', 400, 'invalid_parameter', /epoch must be a whole number from 1 .*got "x"/],
    ['segments/1?epoch=1&epoch=1', 400, 'repeated_parameter', /only once/],
    ['segments/1?after=1', 400, 'unknown_parameter', /must be one of epoch/],
    ['head?epoch=1', 400, 'unknown_parameter', /no query parameters/],
    ['segments', 404, 'unknown_path', /no endpoint/],
    ['segment/7', 404, 'unknown_path', /Did you mean \/api\/events\/segments\/7\?/],
  ])('%s is %i %s', async (path, status, code, error) => {
    const answer = await ask(service, `/api/events/${path}`);
    expectErrorBody(answer);
    expect(answer).toMatchObject({ status, body: { code, error: expect.stringMatching(error) } });
    expect(answer.header('cache-control')).toBe('private, no-store');
  });

  test('other methods are refused', async () => {
    for (const path of [HEAD, '/api/events/segments/1'])
      expect(await ask(service, path, { method: 'POST' })).toMatchObject({ status: 405 });
  });
});

describe('a log that grows', () => {
  test('the head changes with each event, and a segment is whole with its last one', async () => {
    expect((await ask(growing, HEAD)).body).toMatchObject({ first_segment: null, last_segment: null });
    const early = await ask(growing, '/api/events/segments/1');
    expect(early).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching(/^n must be a whole segment, and none is stored at present \(got 1\)/) },
    });
    await publish(growing, 999 - (await endOfLog(growing)));
    const before = await ask(growing, HEAD);
    expect(seqsOf(before.body.events)).toEqual(seqs(1, 999));
    expect((await ask(growing, HEAD, { headers: conditional(before.header('etag')) })).status).toBe(304);
    expect((await ask(growing, '/api/events/segments/1')).status).toBe(404);
    await publish(growing, 1);
    const after = await ask(growing, HEAD, { headers: conditional(before.header('etag')) });
    expect(after).toMatchObject({
      status: 200,
      body: { last_seq: 1000, first_segment: 1, last_segment: 1, events: [] },
    });
    const { body } = await ask(growing, '/api/events/segments/1?epoch=1');
    expect({ ...body, events: seqsOf(body.events) }).toEqual({
      epoch: 1,
      segment: 1,
      next_segment: 2,
      events: seqs(1, 1000),
    });
  });

  test('real events fit the reference', async () => {
    await using closing = new AsyncDisposableStack();
    const real = await startService();
    closing.defer(() => real.stop());
    await real.nextHour();
    expect((await real.request('GET', HEAD)).body.events.length).toBeGreaterThan(3);
  });

  test('head and segments share a budget of an address', async () => {
    const left = async (path: string) => Number((await ask(growing, path)).header('x-ratelimit-remaining'));
    const first = await left(HEAD);
    expect([await left('/api/events/segments/1'), await left('/api/events/segments/x')]).toEqual([
      first - 1,
      first - 2,
    ]);
    let last = await ask(growing, HEAD);
    while (last.status === 200) last = await ask(growing, HEAD);
    expectErrorBody(last);
    expect(last).toMatchObject({ status: 429, body: { endpoint: 'GET /api/events/head', limit: 120 } });
  });
});

test('segments with deleted events are refused', async () => {
  await using closing = new AsyncDisposableStack();
  const old = await startService({ start: '2026-01-01T12:10:00Z' });
  closing.defer(() => old.stop());
  const first = await endOfLog(old);
  await publish(old, 1203 - first);
  old.clock.set('2026-02-01T12:30:00Z');
  await publish(old, 2000);
  await forgetOldEvents(old.newEm(), old.clock.now());
  old.nudge();
  const { body } = await ask(old, HEAD);
  const bounds = { oldest_seq: 1204, last_seq: 3203, first_segment: 3, last_segment: 3 };
  expect({ ...body, events: seqsOf(body.events) }).toMatchObject({ ...bounds, events: seqs(3001, 3203) });
  for (const n of [1, 2, 4]) {
    expect(await ask(old, `/api/events/segments/${n}?epoch=1`)).toMatchObject({
      status: 404,
      body: {
        error: expect.stringContaining(`n must be from 3 to 3, the segments that are whole and stored (got ${n})`),
      },
    });
  }
  expect(seqsOf((await ask(old, '/api/events/segments/3?epoch=1')).body.events)).toEqual(seqs(2001, 3000));
});

describe('a restored log', () => {
  test('the head names the new epoch, and addresses of the old one are 404', async () => {
    const { body } = await ask(restored, HEAD);
    const shown = { epoch: 2, last_seq: AHEAD + 1500, oldest_seq: 1, first_segment: 1, last_segment: 1001, events: [] };
    expect(body).toEqual({ ...shown, segment_path: '/api/events/segments/{n}?epoch=2' });
    expect(await ask(restored, '/api/events/segments/1?epoch=1')).toMatchObject({
      status: 404,
      body: { code: 'unknown_segment', error: expect.stringContaining('epoch must be 2') },
    });
  });

  test('next_segment passes the numbers that a restore leaves out, also before an event follows them', async () => {
    const before = await ask(restored, '/api/events/segments/2');
    await publish(restored, 600);
    const read: (readonly [segment: number, events: number])[] = [];
    const head = (await ask(restored, HEAD)).body;
    for (let n = 1; n <= head.last_segment;) {
      const { body } = await ask(restored, `/api/events/segments/${n}?epoch=2`);
      read.push([n, body.events.length]);
      n = body.next_segment;
    }
    expect(read).toEqual([
      [1, 1000],
      [2, 500],
      [1002, 500],
    ]);
    expect(seqsOf(head.events)).toEqual(seqs(AHEAD + 2001, AHEAD + 2100));
    expect((await ask(restored, '/api/events/segments/2?epoch=2')).text).toBe(before.text);
    expect((await ask(restored, '/api/events/segments/700')).body).toMatchObject({ events: [], next_segment: 1002 });
  });
});
