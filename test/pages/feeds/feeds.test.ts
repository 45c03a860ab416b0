import { beforeAll, expect, test } from '@jest/globals';

import { ServiceKey } from '../../../src/entities/webhooks.ts';
import { type Player, predict, register } from '../../support/agents.ts';
import { decide, playBets } from '../../support/outcomes.ts';
import { currentRound, firstOf, secondOf } from '../../support/rounds.ts';
import { sharedService } from '../../support/shared.ts';
import { readAtom } from './read-atom.ts';

const ADMIN = 'an-admin-token-of-the-feeds-suite';
const service = sharedService(() => ({ adminToken: ADMIN, picks: 'sealed', rateLimits: true }));
let winner: Player;
let loser: Player;
let roundId: number;

const WORDS = 'Rising <b>fast</b> & "far"';

beforeAll(async () => {
  winner = await register(service, 'Winner-One');
  loser = await register(service, 'loser');
  const round = await currentRound(service);
  roundId = round.id;
  const [first, second] = [firstOf(round.choices), secondOf(round.choices)];
  await predict(service, winner, { prediction: first, confidence: 80, rationale: WORDS });
  await predict(service, loser, { prediction: second, confidence: 60 });
  decide(service, round, first);
  await service.nextHour();
});

async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  // Without a directive of its own, fetch would add `no-cache` to conditional requests.
  const response = await fetch(service.url + path, { headers: { 'Cache-Control': 'max-age=0', ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const feedAt = async (path: string) => readAtom((await get(path)).text);

test('the feed of rounds has the decided ones with outcome and share, by absolute addresses', async () => {
  const { headers, text } = await get('/feeds/rounds.atom');
  expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const feed = readAtom(text);
  expect([feed.self, feed.alternate]).toEqual([`${service.url}/feeds/rounds.atom`, `${service.url}/rounds`]);
  expect(feed.subtitle).toMatch(/not real|scripted|simulated/i);
  expect(feed.entries).toEqual([
    expect.objectContaining({
      id: expect.stringMatching(/^urn:uuid:/),
      link: `${service.url}/rounds/${roundId}`,
      title: expect.stringMatching(/^\w+: .+\?$/),
      content: expect.stringMatching(
        /^2026-01-01, 12:00 to 13:00 UTC\. The answer was \w+\. 2 predictions, 50 % right\.$/,
      ),
    }),
  ]);
});

test('an agent’s feed, found by its name in any case, has its results and reasons', async () => {
  const feed = await feedAt('/feeds/agents/winner-one.atom');
  expect([feed.title, feed.self]).toEqual(['Winner-One · Hourcast', `${service.url}/feeds/agents/Winner-One.atom`]);
  expect(feed.alternate).toBe(`${service.url}/agents/${winner.id}`);
  expect(feed.entries).toEqual([
    expect.objectContaining({
      title: expect.stringMatching(/^Right: .+\?$/),
      content: expect.stringMatching(
        /^2026-01-01, .+ Answer \w+ at 80 %; \w+ was right\. Place 1 of 2: \+\d+ points, \+\$\d+\.\d\d\.\n\nRising <b>fast<\/b> & "far"$/,
      ),
    }),
  ]);
  const [{ title } = { title: '' }] = (await feedAt('/feeds/agents/loser.atom')).entries;
  expect(title).toMatch(/^Wrong: /);
});

test('a running round is in no feed', async () => {
  await predict(service, loser, { confidence: 99, rationale: 'A secret until the hour is over' });
  expect((await feedAt('/feeds/rounds.atom')).entries).toHaveLength(1);
  const { text } = await get('/feeds/agents/loser.atom');
  expect(readAtom(text).entries).toHaveLength(1);
  expect(text).not.toContain('A secret');
});

test('the feed of changes has an entry for each released version, whose page is JSON', async () => {
  const feed = await feedAt('/feeds/changes.atom');
  expect([feed.title, feed.alternate]).toEqual(['Changes of Hourcast', `${service.url}/api/changes`]);
  expect(feed.entries.slice(-2)).toEqual([
    expect.objectContaining({ link: `${service.url}/api/changes#0.2.0`, title: 'Version 0.2.0' }),
    expect.objectContaining({ content: expect.stringMatching(/^added: One question an hour on eight crypto assets/) }),
  ]);
  expect((await get('/feeds/changes.atom')).text).toContain('rel="alternate" type="application/json"');
});

test('a conditional request gets 304 until something is decided', async () => {
  await service.nextHour();
  const { headers } = await get('/feeds/rounds.atom', { 'Accept-Encoding': 'br' });
  const known = { 'If-None-Match': headers.get('etag') ?? '' };
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-encoding')).toBe('br');
  const { status, text, headers: again } = await get('/feeds/rounds.atom', known);
  expect([status, text, again.get('etag')]).toEqual([304, '', known['If-None-Match']]);
  await playBets(service, [{ player: winner, right: true, confidence: 70 }]);
  await service.nextHour();
  expect((await get('/feeds/rounds.atom', known)).status).toBe(200);
});

test('a reason that an operator hides leaves the feed', async () => {
  const { text, headers } = await get('/feeds/agents/Winner-One.atom');
  expect(text).toContain('Rising');
  await actOn(`/admin/agents/${winner.id}/hide`, { round: roundId });
  const conditions = { 'If-None-Match': headers.get('etag') ?? '', 'If-Modified-Since': new Date().toUTCString() };
  const { status, text: after } = await get('/feeds/agents/Winner-One.atom', conditions);
  expect([status, after.includes('Rising')]).toEqual([200, false]);
});

test.each(['nobody', '%00', 'x'.repeat(60), '..%2f1'])('an agent of the name %s gets 404', async (name) => {
  const { status, text } = await get(`/feeds/agents/${name}.atom`);
  expect([status, JSON.parse(text).code]).toEqual([404, expect.stringMatching(/^unknown_/)]);
});

test('a removed agent has no feed', async () => {
  await actOn(`/admin/agents/${loser.id}/remove`, {});
  expect((await get('/feeds/agents/loser.atom')).status).toBe(404);
});

const FEED_LINK = /<link rel="alternate" type="application\/atom\+xml" title="([^"]+)" href="([^"]+)">/g;

async function feedsOf(path: string) {
  return [...(await get(path)).text.matchAll(FEED_LINK)].map(([, title, href]) => [title, href]);
}

test('pages name their feeds', async () => {
  const rounds = ['Decided rounds', '/feeds/rounds.atom'];
  expect(await feedsOf('/')).toEqual([rounds]);
  expect(await feedsOf(`/agents/${winner.id}`)).toEqual([
    ['Results of Winner-One', '/feeds/agents/Winner-One.atom'],
    rounds,
  ]);
  expect(await feedsOf('/embed/round')).toEqual([]);
});

const left = ({ headers }: { readonly headers: Headers }): number => Number(headers.get('x-ratelimit-remaining'));

test('only GET and HEAD are allowed, and each read is counted, also of a cached feed', async () => {
  const { status, headers } = await fetch(`${service.url}/feeds/rounds.atom`, { method: 'POST' });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await fetch(`${service.url}/feeds/rounds.atom`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(left(head) - left(await get('/feeds/rounds.atom'))).toBe(1);
});

const idsNow = async () => {
  const { id, entries } = await feedAt('/feeds/rounds.atom');
  return [id, ...entries.map((one) => one.id)];
};

test('ids stay when the service’s key is replaced', async () => {
  const before = await idsNow();
  const [key] = await service.newEm().find(ServiceKey, {}, { orderBy: { id: 'desc' } });
  await actOn(`/admin/keys/${key?.id}/rotate`, {});
  await service.nextHour();
  expect(await idsNow()).toEqual(expect.arrayContaining(before));
});

async function actOn(path: string, fields: object): Promise<void> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN}` },
    body: JSON.stringify({ reason: 'A test of feeds', ...fields }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}
