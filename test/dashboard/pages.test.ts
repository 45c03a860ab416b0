import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { hasBrowser, openBrowser } from '../support/browser.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fixedPort } from '../support/fixed-port.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { until } from '../support/poll.ts';
import { startService, type TestService } from '../support/service.ts';
import { FAULTLESS, visit, type Visit } from '../support/visit.ts';

const HOURS = 26;

/** Every page, by the name of its pictures, with what its first heading says. */
const PAGES = [
  ['now', '/', /\?$/],
  ['rounds', '/rounds', /^Rounds$/],
  ['rounds-filtered', '/rounds?type=direction&asset=BTC', /^Rounds$/],
  ['round', `/rounds/${HOURS}`, /\?$/],
  ['round-playing', `/rounds/${HOURS + 1}`, /\?$/],
  ['round-upcoming', `/rounds/${HOURS + 2}`, /\?$/],
  ['agent', '/agents/2?against=3', /^Agent-2/],
  ['leaderboard', '/leaderboard?period=alltime', /^Leaderboard$/],
  ['leaderboard-frozen', '/leaderboard/2026-01-01', /^Thursday,? (1 January|January 1,) 2026$/],
  ['archive', '/archive', /^Frozen boards$/],
  ['forecast', '/forecast', /^The arena’s forecast$/],
  ['models', '/models', /^Models$/],
  ['questions', '/questions', /^Questions$/],
  ['about', '/about', /^One question an hour$/],
  ['join', '/join', /^Join$/],
  ['missing', '/agents/999', /^No such agent$/],
] as const;

/** What may move by itself on a page, as browsers count it. */
const MOST_SHIFT = 0.05;

(hasBrowser() ? describe : describe.skip)('page in a browser', () => {
  let database: TestDatabase;
  let field: PlayedField;
  let service: TestService;
  let port: number;
  let browser: Browser;
  let visitor: Visit;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    database = await createTestDatabase();
    port = await fixedPort();
    field = await openField({
      agents: 12,
      port,
      database,
      minutes: [2, 9, 17, 31, 44, 53],
      checkpoints: [5, 15, 30, 45, 55],
    });
    service = field.service;
    await field.play(HOURS);
    await field.predict();
    browser = await openBrowser();
    visitor = await visit(browser, service.url);
    ({ context, page } = visitor);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await database.drop();
  });

  const open = (path: string): Promise<void> => visitor.open(path);
  const link = () => visitor.link();

  test.each(PAGES)(
    '%s opens complete without shifts in all looks and sizes, and is accessible',
    async (name, path, title) => {
      await open(path);
      await visitor.heading().filter({ hasText: title }).waitFor();
      await visitor.whole();
      // Before its own pictures and sizes move what it shows.
      await link().filter({ hasText: 'Live' }).waitFor();
      const shift = await visitor.shift();
      await visitor.picture(name);
      expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
      expect(shift).toBeLessThanOrEqual(MOST_SHIFT);
    },
  );

  test('a decided round has every minute, and ends at its outcome', async () => {
    await open(`/rounds/${HOURS}`);
    await visitor.whole();
    const frame = page.locator('.frame').filter({ has: page.locator('.hour-end') });
    const path = (await frame.locator('.hour-line.reference path[d*="H"]').getAttribute('d')) ?? '';
    // A step is a move across and one up or down: from the first minute to the last, and to the end.
    expect(path.match(/H/g)).toHaveLength(60);
    const end = await frame.locator('.hour-end').getAttribute('cy');
    expect(path.split('V').at(-1)?.split('H')[0]).toBe(Number(end).toFixed(1));
  });

  test.each(['/', '/agents/2', '/rounds?type=touch', '/join'])('%s is usable by keyboard alone', async (path) => {
    await open(path);
    await visitor.whole();
    await link().filter({ hasText: 'Live' }).waitFor();
    expect(await visitor.unreached()).toEqual([]);
  });

  test.each([
    ['/', '.hour-dots'],
    ['/', '.return'],
    [`/rounds/${HOURS}`, '.returns'],
    ['/agents/2', '.grown'],
    ['/agents/2', '.bin'],
    ['/forecast', '.grown'],
    ['/forecast', '.bin'],
  ])('%s shows the values of %s at pointer, finger and arrow keys', async (path, drawn) => {
    await open(path);
    await visitor.whole();
    const frame = page
      .locator('.frame')
      .filter({ has: page.locator(drawn) })
      .first();
    const reading = frame.locator('.reading');
    const range = frame.getByRole('slider');
    await frame.scrollIntoViewIfNeeded();
    const plane = await frame.locator('.pointing').boundingBox();
    if (plane === null) throw new Error('The diagram has no plane');
    await page.mouse.move(plane.x + 3, plane.y + 3);
    const first = await reading.innerText();
    await page.mouse.move(plane.x + plane.width - 3, plane.y + plane.height - 3);
    await reading.filter({ hasNotText: first }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.picture(`pointed-${path.split('/')[1] || 'now'}-${drawn.slice(1)}`);
    await page.mouse.move(0, 0);
    await reading.waitFor({ state: 'detached' });
    await range.focus();
    const last = await range.getAttribute('aria-valuetext');
    await page.keyboard.press('Home');
    expect(await range.getAttribute('aria-valuetext')).not.toBe(last);
    await page.keyboard.press('ArrowRight');
    await reading.waitFor();
    await page.keyboard.press('Tab');
    await reading.waitFor({ state: 'detached' });
    await frame
      .locator('.pointing')
      .dispatchEvent('pointerdown', { clientX: plane.x + 5, clientY: plane.y + 5, pointerType: 'touch' });
    await reading.waitFor();
  });

  test('a decided round shows when it was sealed, and the command that checks the log', async () => {
    await open(`/rounds/${HOURS}`);
    await page.getByText(/Sealed at \d\d:\d\d:\d\d UTC, before the outcome was known/).waitFor();
    const command = page.getByRole('region', { name: 'Command that checks the log' });
    expect(await command.textContent()).toBe(`npx hourcast verify --log ${service.url}`);
  });

  test('the introduction appears until it is dismissed', async () => {
    await open('/');
    const welcome = page.getByText('Software agents answer one question an hour');
    await welcome.waitFor();
    const { y = Infinity } = (await welcome.boundingBox()) ?? {};
    expect(y).toBeLessThan(400);
    await page.getByRole('button', { name: 'Got it' }).click();
    await welcome.waitFor({ state: 'detached' });
    await open('/');
    await page.locator('.crowd h2').waitFor();
    expect(await welcome.count()).toBe(0);
  });

  test.each([320, 344, 360, 390, 412])(
    'the navigation has every page in one line on a phone %i wide',
    async (width) => {
      // The longest of the links is marked there.
      await open('/questions');
      expect(await visitor.tooWide(width)).toBe(0);
      const links = page.locator('.top nav a:visible');
      const tops = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect(tops.length).toBeGreaterThanOrEqual(6);
      expect(new Set(tops).size).toBe(1);
      expect(await page.locator('.top a[href="/"]:visible').count()).toBeGreaterThan(0);
    },
  );

  test('the first page shows the embedded data without requesting it again', async () => {
    const requests: string[] = [];
    const note = (request: { url(): string; postData(): string | null }): void => {
      if (request.url().endsWith('/graphql')) requests.push(request.postData() ?? '');
    };
    page.on('request', note);
    const prices = page.waitForRequest((request) => request.postData()?.includes('reference') ?? false);
    await open('/');
    await prices;
    await page.locator('.hour-newest').waitFor();
    page.off('request', note);
    expect(requests.filter((text) => text.includes('leaderboard'))).toEqual([]);
    expect(requests.filter((text) => text.includes('reference')).length).toBe(1);
  });

  test('the question is shown before scripts run, which keep its element', async () => {
    const early = await context.newPage();
    // Between the HTML's end and the first script that waited for it.
    await early.addInitScript(`document.addEventListener('readystatechange', () => {
      const found = document.getElementById('question');
      globalThis.served = { found, text: found?.textContent };
    }, { once: true })`);
    await early.goto(service.url);
    await early.locator('.countdown .digits').filter({ hasText: ':' }).waitFor();
    const text = await early.evaluate(
      `served.found === document.getElementById('question') ? served.text : 'another element'`,
    );
    expect(text).toBe(await early.getByRole('heading', { level: 1 }).innerText());
    await early.close();
  });

  test('an entry, the next hour and the decided one appear without a reload', async () => {
    await open('/');
    await link().filter({ hasText: 'Live' }).waitFor();
    const before = await page.locator('.crowd h2 small').innerText();
    await field.predict(1);
    await page.locator('.crowd h2 small').filter({ hasNotText: before }).waitFor();
    const round = await page.locator('.eyebrow a').innerText();
    await service.nextHour();
    await page.locator('.eyebrow a').filter({ hasNotText: round }).waitFor();
    const playing = await page.locator('.hero h1').innerText();
    await page.locator('.coming p').filter({ hasNotText: playing }).waitFor();
    const decided = Number(round.replace('Round ', ''));
    await page.locator(`.over a[href="/rounds/${decided}"] .outcome`).filter({ hasNotText: 'decided' }).waitFor();
  });

  test('the page continues without a gap after an outage of the service', async () => {
    const newest = () => page.locator('.over a[href^="/rounds/"]').first().getAttribute('href');
    const last = Number((await newest())?.split('/').at(-1));
    const now = service.clock.now().toISOString();
    await service.stop();
    await link().filter({ hasText: 'Reconnecting' }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.picture('now-reconnecting');
    // Two hours pass where the page cannot see them.
    const elsewhere = await startService({ start: now, database });
    await elsewhere.nextHour();
    await elsewhere.nextHour();
    const later = elsewhere.clock.now().toISOString();
    await elsewhere.stop();
    service = await startService({ start: later, port, database });
    await link().filter({ hasText: 'Live' }).waitFor();
    await page.locator(`.over a[href="/rounds/${last + 2}"]`).waitFor();
    const shown = await page
      .locator('.over a[href^="/rounds/"]')
      .evaluateAll((links) => links.map((one) => one.getAttribute('href')));
    expect(shown.slice(0, 3)).toEqual([last + 2, last + 1, last].map((id) => `/rounds/${id}`));
  });

  test('the page shows when it is offline, and when it is live again', async () => {
    await context.setOffline(true);
    await link().filter({ hasText: 'Offline' }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.picture('now-offline');
    await context.setOffline(false);
    await link().filter({ hasText: 'Live' }).waitFor();
    // What failed meanwhile was to fail.
    visitor.complaints.length = 0;
  });

  test('a silent connection is closed, and the next has the same subscriptions', async () => {
    const other = await context.newPage();
    await other.clock.install();
    const begun: string[][] = [];
    const answered = new Set<string>();
    await other.routeWebSocket(/\/graphql$/, (socket) => {
      const ids: string[] = [];
      const isFirst = begun.push(ids) === 1;
      const server = socket.connectToServer();
      let isSilent = false;
      socket.onMessage((text) => {
        const { type, id, payload } = JSON.parse(String(text));
        if (type === 'subscribe') ids.push(`${id} ${payload.query.split(/\W/)[0]}`);
        isSilent ||= isFirst && type === 'ping';
        if (!isSilent) server.send(text);
      });
      server.onMessage((text) => {
        if (isSilent) return;
        const { type, id } = JSON.parse(String(text));
        if (type === 'complete') answered.add(`${id} query`);
        socket.send(text);
      });
    });
    await other.goto(service.url);
    const liveness = other.locator('.link');
    await liveness.filter({ hasText: 'Live' }).waitFor();
    await until('a query is answered', () => answered.size > 0);
    const again = other.waitForEvent('websocket');
    await other.clock.runFor(15_500);
    await again;
    await liveness.filter({ hasText: 'Live' }).waitFor();
    const round = await other.locator('.eyebrow a').innerText();
    await service.nextHour();
    await other.locator('.eyebrow a').filter({ hasNotText: round }).waitFor();
    const [first = [], second = []] = begun;
    expect(second).toEqual(expect.arrayContaining(first.filter((one) => one.endsWith('subscription'))));
    // On a slow machine others are on their way when the connection falls silent.
    const over = first.filter((one) => answered.has(one));
    expect(over.filter((one) => second.includes(one))).toEqual([]);
    await other.close();
  });

  test('/join leads to a scored prediction by clicks alone', async () => {
    await open('/join');
    await page.getByLabel('The agent’s name').fill('clicker');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/^pk_live_[0-9a-f]{48}$/).waitFor();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('join-registered');
    await page.locator('.picks label').first().click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'Answer stored' }).waitFor();
    await service.nextHour();
    await page.locator('.awaited .outcome').waitFor();
    await page.getByRole('link', { name: 'Your agent’s page' }).click();
    await visitor.heading().filter({ hasText: 'clicker' }).waitFor();
  });

  test('the page makes requests only to the service, and none fails', () => {
    const { foreign, complaints } = visitor;
    expect({ foreign, complaints: complaints.filter((text) => !text.includes('404')) }).toEqual({
      foreign: [],
      complaints: [],
    });
  });
});
