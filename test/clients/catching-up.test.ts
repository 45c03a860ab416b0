import { beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { until } from '../support/poll.ts';
import { sharedService } from '../support/shared.ts';
import { endOfLog, publish, seqs } from '../support/written-events.ts';
import { faultyServer, refusal, type Step } from './faulty-server.ts';
import { ask, INSTALLED, type Language, valuesOf } from './languages.ts';

const LAST = 3456;
const KINDS = ['TIER_CHANGED', 'ROUND_CLOSED'];

const service = sharedService();
beforeAll(async () => publish(service, LAST - (await endOfLog(service))));

const opened = (seq: number) => ({ seq, kind: 'ROUND_OPENED' });

/** Two events of a segment, as the clients read it. */
const segment = (n: number): Step => ({
  status: 200,
  body: { next_segment: n + 1, events: [n * 1000 - 1, n * 1000].map(opened) },
});

/** Requests so far, by route. */
async function counted(): Promise<Readonly<Record<string, number>>> {
  const { body } = await service.request('GET', '/metrics');
  const found = String(body).matchAll(/^hourcast_http_requests_total\{route="(\/api\/events[^"]*)".*\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, route, count]) => [route, Number(count)]));
}

/** The numbers of the events that a client yields, up to `last`. */
async function followed(language: Language, events: Readonly<Record<string, unknown>>, last: number) {
  const program = ask(language, service.url, { events });
  const found = () => valuesOf(program.stdout()).map(({ seq }) => seq);
  await until(`event ${last}`, () => found().at(-1) >= last);
  program.kill('SIGKILL');
  await program.ended;
  return found();
}

describe.each(INSTALLED)('the client in $language', (language) => {
  test('far behind, it reads each segment once, then the stream, and misses no event', async () => {
    const before = await counted();
    const program = ask(language, service.url, { events: { after: 5 } });
    const found = () => valuesOf(program.stdout()).map(({ seq }) => seq);
    await until('the first event', () => found().length > 0);
    const last = (await endOfLog(service)) + 20;
    await publish(service, 20);
    await until('the newest event', () => found().length >= last - 5);
    program.kill('SIGKILL');
    await program.ended;
    expect(found()).toEqual(seqs(6, last));
    const routes = ['/api/events/head', '/api/events/segments/:n', '/api/events'];
    await until('the end of the stream', async () => (await counted())['/api/events'] !== before['/api/events']);
    const after = await counted();
    expect(routes.map((route) => (after[route] ?? 0) - (before[route] ?? 0))).toEqual([1, 3, 1]);
  });

  test('far behind, it yields the kinds that are wanted', async () => {
    const rows = await sql<{ seq: number }>`
      select seq from events where seq > 7 and kind in (${sql.join(KINDS)}) order by seq`.execute(
      service.newEm().getKysely(),
    );
    const wanted = rows.rows.map(({ seq }) => seq);
    expect(await followed(language, { after: 7, kinds: KINDS }, wanted.at(-1) ?? 0)).toEqual(wanted);
  });

  test('less than a segment behind, it reads none', async () => {
    const before = await counted();
    const last = await endOfLog(service);
    expect(await followed(language, { after: last - 1000 }, last)).toEqual(seqs(last - 999, last));
    expect((await counted())['/api/events/segments/:n']).toBe(before['/api/events/segments/:n']);
  });

  test('a broken segment is read again, and no event comes twice', async () => {
    const bounds = { epoch: 1, last_seq: 2001, oldest_seq: 1, first_segment: 1, last_segment: 2 };
    const head: Step = { status: 200, body: { ...bounds, segment_path: '/kept/{n}?epoch=1', events: [opened(2001)] } };
    const stream: Step = { status: 200, body: `data: ${JSON.stringify(opened(2002))}\n\n` };
    const steps = [head, segment(1), 'cut', head, segment(2), stream, refusal(410, 'events_gone')] as const;
    await using server = await faultyServer(steps);
    const { stdout } = await ask(language, server.url, { events: { after: 0 } }).ended;
    expect(valuesOf(stdout).flatMap(({ seq }) => seq ?? [])).toEqual([999, 1000, 1999, 2000, 2001, 2002]);
    expect(server.received.map(({ requestLine, lastEventId }) => lastEventId ?? requestLine)).toEqual([
      'GET /api/events/head',
      'GET /kept/1?epoch=1',
      'GET /kept/2?epoch=1',
      'GET /api/events/head',
      'GET /kept/2?epoch=1',
      '2001',
      '2002',
    ]);
  });

  test.each([
    ['without segments', { last_seq: 502, first_segment: null, last_segment: null }],
    ['within a segment that is partly deleted', { last_seq: 4001, first_segment: 2, last_segment: 4 }],
  ])('after 0 it opens the stream before the oldest stored event, %s', async (_where, found) => {
    const bounds = { epoch: 1, oldest_seq: 501, ...found };
    const head: Step = { status: 200, body: { ...bounds, segment_path: '/kept/{n}?epoch=1', events: [] } };
    const stream: Step = { status: 200, body: `data: ${JSON.stringify(opened(501))}\n\n` };
    await using server = await faultyServer([head, stream, refusal(410, 'events_gone')]);
    const { stdout } = await ask(language, server.url, { events: { after: 0 } }).ended;
    expect(valuesOf(stdout).flatMap(({ seq }) => seq ?? [])).toEqual([501]);
    const places = server.received.map(({ requestLine, lastEventId }) => lastEventId ?? requestLine);
    expect(places).toEqual(['GET /api/events/head', '500', '501']);
  });
});

describe.each(INSTALLED)('after old events were deleted, the client in $language', (language) => {
  beforeAll(async () => {
    await sql`delete from events where seq <= 500`.execute(service.newEm().getKysely());
    service.nudge();
  });

  test('reads the stream within a segment that is partly deleted', async () => {
    const last = await endOfLog(service);
    expect(await followed(language, { after: 600 }, last)).toEqual(seqs(601, last));
  });

  test('begins with the first stored event for `after` 0', async () => {
    const last = await endOfLog(service);
    expect(await followed(language, { after: 0 }, last)).toEqual(seqs(501, last));
  });
});
