import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EventSource } from 'eventsource';
import { once } from 'node:events';
import { connect } from 'node:net';

import { CHECKPOINT } from '../support/checkpoint.ts';
import { LIMITS } from '../../src/limits.ts';
import { until } from '../support/poll.ts';
import { reference } from '../support/reference.ts';
import { expectErrorBody } from '../support/refusals.ts';
import { startService, type TestService } from '../support/service.ts';
import { collector } from '../support/collector.ts';
import { cutProxy } from './cut-proxy.ts';
import { eventSource } from '../support/event-source.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { endOfLog, EVENTS, publish, type Seen, seqs } from '../support/written-events.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  expect(service.reported).toEqual([]);
});

test('a stream has the WebSocket’s events, with the seq as the id of each', async () => {
  await service.nextHour();
  const last = await endOfLog(service);
  using source = eventSource(`${service.url}/api/events?after=0`);
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after: 0 });
  const streamed = await source.until((all) => all.at(-1)?.seq === last);
  const events = (await received.first(last)).map(({ data }) => data?.events);
  const expected = events.map((event) => ({
    ...event,
    id: String(event?.seq),
    round_id: event?.roundId,
    payload: snakeCased(event?.payload),
  }));
  expect(streamed.slice(1).map((event) => ({ ...event, roundId: event.round_id }))).toEqual(expected);
  expect(streamed.find(({ kind }) => kind === 'ROUND_RESOLVED')?.payload).toHaveProperty('resolution_value');
});

function snakeCased(payload: Readonly<Record<string, unknown>> = {}): unknown {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** The delay before a reconnect, in milliseconds, that a new stream begins with. */
async function delay(): Promise<number> {
  const ending = new AbortController();
  const { body } = await fetch(`${service.url}/api/events`, { signal: ending.signal });
  const { value } = (await body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {};
  ending.abort();
  return Number(/^retry: (\d+)\n\n/.exec(value ?? '')?.[1]);
}

test('streams that begin together reconnect over two seconds, in each tenth a tenth of them', async () => {
  const delays: number[] = [];
  for (let count = 0; count < 40; count += 1) delays.push(await delay());
  const tenths = Array.from({ length: 10 }, (_, tenth) => {
    const from = 1000 + 200 * tenth;
    return delays.filter((ms) => ms >= from && ms < from + 200).length;
  });
  expect(Math.min(...tenths)).toBeGreaterThanOrEqual(3);
  expect(Math.max(...tenths)).toBeLessThanOrEqual(5);
});

test('events fit the reference, and link to their subject', async () => {
  const last = await endOfLog(service);
  const round = (await service.request('GET', '/api/rounds/current')).body.round;
  await service.nextHour();
  const next = (await service.request('GET', '/api/rounds/current')).body.round;
  using source = eventSource(`${service.url}/api/events?after=${last}`);
  const events = await source.until((all) => all.some(({ kind }) => kind === 'LEADERBOARD_CHANGED'));
  for (const { id: _id, ...event } of events)
    expect(reference().faults('/components/schemas/Event', event)).toEqual([]);
  const payloadOf = (wanted: string) => events.find(({ kind }) => kind === wanted)?.payload;
  expect(payloadOf('ROUND_CLOSED')).toEqual({ total_entries: round.total_entries, checkpoint: CHECKPOINT });
  expect(payloadOf('ROUND_OPENED')).toEqual({
    question: next.question,
    question_type: next.question_type,
    choices: next.choices,
    starts_at: `${next.start_time.replace(' ', 'T')}.000Z`,
    ends_at: `${next.end_time.replace(' ', 'T')}.000Z`,
  });
});

test('messages without names reach onmessage', async () => {
  const last = await endOfLog(service);
  await publish(service, 2);
  using source = closing(new EventSource(`${service.url}/api/events?unnamed=true&after=${last}`));
  const seen = collector<{ readonly kind: string; readonly seq: number }>();
  source.own.addEventListener('message', ({ data }) => seen.add(JSON.parse(String(data))));
  expect((await seen.first(3)).map(({ kind, seq }) => [kind, seq])).toEqual([
    ['HEARTBEAT', last],
    ['ROUND_STORED', last + 1],
    ['ROUND_OPENED', last + 2],
  ]);
});

function closing(own: EventSource) {
  return { own, [Symbol.dispose]: () => own.close() };
}

test('a stream from now on starts with a heartbeat, so that a browser can resume', async () => {
  const last = await endOfLog(service);
  using source = eventSource(`${service.url}/api/events`);
  expect(await source.first(1)).toMatchObject([{ id: String(last), kind: 'HEARTBEAT', seq: last }]);
  await publish(service, 2);
  expect((await source.first(3)).map(({ seq }) => seq)).toEqual([last, last + 1, last + 2]);
});

test('a stream with kinds has only those', async () => {
  const last = await endOfLog(service);
  using source = eventSource(`${service.url}/api/events?after=${last}&kinds=ROUND_OPENED,TIER_CHANGED`);
  await publish(service, 10);
  const all = await source.first(5);
  expect(all.slice(1).map(({ seq, kind }) => [seq - last, kind])).toEqual([
    [2, 'ROUND_OPENED'],
    [5, 'TIER_CHANGED'],
    [7, 'ROUND_OPENED'],
    [10, 'TIER_CHANGED'],
  ]);
});

const EARLIEST = '?after=0&lastEventId=';

test.each([
  ['the parameter of polyfills goes before after', (seq: string) => EARLIEST + seq, {}],
  ['the header goes before both', () => `${EARLIEST}1`, (seq: string) => ({ 'last-event-id': seq })],
  ['an empty parameter is none', (seq: string) => `?lastEventId=&after=${seq}`, {}],
  ['an empty header is none', (seq: string) => `?after=${seq}`, { 'last-event-id': '' }],
])('the last event is chosen by precedence: %s', async (_rule, queryOf, headersOf) => {
  await publish(service, 3);
  const seq = String((await endOfLog(service)) - 2);
  const headers = typeof headersOf === 'function' ? headersOf(seq) : headersOf;
  const answer = await fetch(`${service.url}/api/events${queryOf(seq)}`, { headers });
  expect((await firstMessages(answer, 1))[0]).toContain(`id: ${seq}\n`);
});

/** Its first messages, each of some lines; then the stream is ended. */
async function firstMessages(answer: Response, count: number): Promise<readonly string[]> {
  let text = '';
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.split('id: ').length > count) break;
  }
  return text.split('\n\n').filter((message) => message.includes('id: '));
}

test('a polyfill whose stream was cut resumes after its last event by its original address', async () => {
  const last = await endOfLog(service);
  await publish(service, 4);
  // As the package event-source-polyfill writes it: what the address has is repeated.
  const query = `?after=${last}&&lastEventId=${last + 2}`;
  const messages = await firstMessages(await fetch(`${service.url}/api/events${query}`), 3);
  expect(messages.slice(0, 3).map((message) => Number(/id: (\d+)/.exec(message)?.[1]) - last)).toEqual([2, 3, 4]);
});

test('a reconnecting browser gets every event exactly once', async () => {
  const last = await endOfLog(service);
  await using proxy = await cutProxy(service.url);
  const sent: (string | null)[] = [];
  using source = eventSource(`${proxy.url}/api/events?after=${last}`, (url, init) => {
    sent.push(new Headers(init.headers).get('last-event-id'));
    return fetch(url, init);
  });
  for (let round = 1; round <= 3; round += 1) {
    await publish(service, 5);
    await source.until((all) => all.some(({ seq }) => seq === last + 5 * round));
    if (round < 3) proxy.cut();
  }
  const events = source.items.filter(({ kind }) => kind !== 'HEARTBEAT');
  expect(events.map(({ seq }) => seq)).toEqual(seqs(last + 1, last + 15));
  expect(sent).toEqual([null, String(last + 5), String(last + 10)]);
});

test.each([
  ['?after=999999', 'the oldest stored event is 1'],
  ['?after=-1', 'after must be the seq'],
  ['?after=one', 'after must be the seq'],
  ['?after=1.5', 'after must be the seq'],
  [`?after=${'9'.repeat(400)}`, 'after must be the seq'],
  ['?after=1&after=2', 'after must be given only once (got it 2 times)'],
  ['?unnamed=1', 'unnamed must be true or false'],
  [
    '?kind=ROUND_OPENED',
    'A parameter must be one of after, lastEventId, kinds, unnamed (got "kind"). Did you mean "kinds"?',
  ],
  ['?kinds=', 'kinds must be one or more of ROUND_STORED'],
  ['?kinds=ROUND_OPENED,nothing', '(got "nothing")'],
  ['?kinds=HEARTBEAT', 'kinds must be one or more of'],
])('%s is refused as JSON', async (query, message) => {
  const { status, body, headers } = await service.request('GET', `/api/events${query}`);
  expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringContaining(message) });
  expectErrorBody({ status, body });
  expect(headers.get('content-type')).toContain('application/json');
});

test('a Last-Event-ID before the oldest event is refused, and the browser stops', async () => {
  const headers = { 'last-event-id': '999999' };
  expect(await service.request('GET', '/api/events?after=1', { headers })).toMatchObject({ status: 400 });
  const odd = await service.request('GET', '/api/events', { headers: { 'last-event-id': 'x' } });
  expect(odd.body).toMatchObject({ param: 'Last-Event-ID', error: expect.stringMatching(/^Last-Event-ID must be/) });
  const source = new EventSource(`${service.url}/api/events?after=999999`);
  const { code } = await new Promise<{ code?: number | undefined }>((resolve) =>
    source.addEventListener('error', resolve),
  );
  expect({ code, state: source.readyState }).toEqual({ code: 400, state: source.CLOSED });
});

test('HEAD is answered without a stream; other methods get 405 with Allow', async () => {
  expect(await service.request('HEAD', '/api/events')).toMatchObject({ status: 200, body: '' });
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, headers, body } = await service.request(method, '/api/events');
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
    expectErrorBody({ status, body });
  }
});

test('a stream has headers against caching', async () => {
  using cut = abortable();
  const response = await fetch(`${service.url}/api/events`, { signal: cut.signal });
  const headers = ['content-type', 'cache-control', 'x-accel-buffering'].map((name) => response.headers.get(name));
  expect(headers).toEqual(['text/event-stream; charset=utf-8', 'no-store', 'no']);
});

test('each new stream counts against the limit of the current round', async () => {
  const limited = await startService({ rateLimits: true });
  const { requests } = LIMITS.currentRound;
  for (let spent = 0; spent < requests - 1; spent += 1) await limited.request('GET', '/api/rounds/current');
  using cut = abortable();
  const last = await fetch(`${limited.url}/api/events`, { signal: cut.signal });
  expect([last.status, last.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
  const refused = await limited.request('GET', '/api/events');
  expect(refused).toMatchObject({ status: 429, body: { error: expect.any(String) } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  cut[Symbol.dispose]();
  await limited.stop();
});

test('clients that disconnect at once leave nothing behind', async () => {
  const bounded = await startService({ connectionsPerAddress: 20 });
  const { hostname, port } = new URL(bounded.url);
  for (let wave = 0; wave < 5; wave += 1) {
    const gone = Array.from({ length: 20 }, () => connect({ host: hostname, port: Number(port) }));
    for (const one of gone) one.write('GET /api/events?after=0 HTTP/1.1\r\nHost: x\r\n\r\n');
    await Promise.all(gone.map((one) => once(one, 'connect')));
    if (wave % 2 === 0) await bounded.request('GET', '/api/health');
    for (const one of gone) one.destroy();
    await bounded.request('GET', '/api/stats');
  }
  // The service hears of the last ones' going when it gets to it; until then their places are taken.
  await until('a free place', () => isOpenTo(`${bounded.url}/api/events`));
  using source = eventSource(`${bounded.url}/api/events?after=0`);
  expect((await source.first(4)).map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  source.source.close();
  await bounded.stop();
});

/** Whether another stream may be opened; it is given up at once. */
async function isOpenTo(url: string): Promise<boolean> {
  using given = abortable();
  return (await fetch(url, { signal: given.signal })).status === 200;
}

function abortable(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  return { signal: controller.signal, [Symbol.dispose]: () => controller.abort() };
}
