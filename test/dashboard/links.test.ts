import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';

import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { until } from '../support/poll.ts';
import { currentRound } from '../support/rounds.ts';
import { visit, type Visit } from '../support/visit.ts';

const REFUSED = { json: { errors: [{ message: 'It broke.', extensions: { code: 'INTERNAL' } }] } };

const through = (socket: WebSocketRoute): void => void socket.connectToServer();

(hasBrowser() ? describe : describe.skip)('connection of a page', () => {
  let field: PlayedField;
  let browser: Browser;
  let visitor: Visit;
  let page: Page;
  /** Lets the sockets that the page has opened through, and those to come. */
  let connect: () => void;
  /** Ends them, and holds up those to come. */
  let cut: () => Promise<void>;

  beforeAll(async () => {
    field = await openField({ agents: 4 });
    await field.play(2);
    await field.predict(1);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  beforeEach(async () => {
    visitor = await visit(browser, field.service.url);
    ({ page } = visitor);
    const open = new Set<WebSocketRoute>();
    let isThrough = false;
    connect = () => {
      isThrough = true;
      open.forEach(through);
    };
    cut = async () => {
      isThrough = false;
      await Promise.all([...open].map((socket) => socket.close()));
      open.clear();
    };
    await page.routeWebSocket(/\/graphql$/, (socket) => {
      open.add(socket);
      if (isThrough) through(socket);
    });
  });

  const says = (link: string): Promise<void> => page.locator(`.link.${link}`).waitFor();
  const top = (): Promise<number> =>
    page.evaluate<number>(`document.querySelector('main').getBoundingClientRect().top`);

  test.each(['/', '/rounds', '/me'].flatMap((path) => [390, 1440].map((width) => ({ path, width }))))(
    'a connection that comes late, breaks and ends moves nothing of $path in a window $width wide',
    async ({ path, width }) => {
      await page.setViewportSize({ width, height: 844 });
      await visitor.open(path);
      await says('connecting');
      const tops = [await top()];
      connect();
      await says('live');
      tops.push(await top());
      await cut();
      await says('reconnecting');
      tops.push(await top());
      await visitor.context.setOffline(true);
      await says('offline');
      tops.push(await top());
      expect(new Set(tops).size).toBe(1);
      expect(await page.locator('.link').innerText()).toBe('Offline');
      expect(await visitor.shift()).toBeLessThanOrEqual(0.02);
      await visitor.context.close();
    },
  );

  test('a restored connection reloads code and answers that failed meanwhile', async () => {
    connect();
    await visitor.open('/');
    await says('live');
    await cut();
    await says('reconnecting');
    await page.route('**/page/*.js', (route) => route.abort());
    await page.route('**/graphql', (route) => route.fulfill(REFUSED));
    await page.getByRole('link', { name: 'Rounds', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'This could not be loaded.' }).waitFor();
    await page.unroute('**/page/*.js');
    connect();
    await page.getByRole('alert').filter({ hasText: 'The service is away for a moment.' }).waitFor();
    await cut();
    await page.unroute('**/graphql');
    connect();
    await page.locator('.round-list').waitFor();
    await visitor.context.close();
  });

  test('a lost connection ends the lines at the last known time, with a note', async () => {
    connect();
    await page.clock.install();
    await visitor.open('/');
    await says('live');
    const now = page.locator('.hour-now').first();
    await now.waitFor({ state: 'attached' });
    await cut();
    await says('reconnecting');
    expect(await page.getByText('as of').count()).toBe(0);
    const lost = Number(await now.getAttribute('x1'));
    await page.clock.runFor(10_500);
    await page.getByText(/as of \d\d:\d\d/).waitFor();
    await page.clock.runFor(120_000);
    const shown = Number(await now.getAttribute('x1'));
    // Two minutes are a thirtieth of the diagram, and it is some hundred pixels wide.
    expect(Math.abs(shown - lost)).toBeLessThan(2);
    connect();
    await page.clock.runFor(15_000);
    await says('live');
    await page.getByText('as of').waitFor({ state: 'detached' });
    await until('the line goes on', async () => Number(await now.getAttribute('x1')) > lost + 5);
    await visitor.context.close();
  });

  test('a new socket is not ended for the pong that the one before it lacked', async () => {
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/graphql$/, (socket) => {
      const server = socket.connectToServer();
      sockets.push(socket);
      if (sockets.length > 1) return;
      server.onMessage((message) => {
        if (!String(message).includes('"pong"')) socket.send(message);
      });
    });
    await page.clock.install();
    await visitor.open('/');
    await says('live');
    await page.clock.runFor(10_500);
    await sockets[0]?.close();
    await until('a new socket', async () => {
      await page.clock.runFor(100);
      return sockets.length === 2;
    });
    await says('live');
    await page.clock.runFor(6_000);
    expect(sockets).toHaveLength(2);
    await says('live');
    await visitor.context.close();
  });

  test.each([
    ['sockets that answer queries', false],
    ['sockets of a process without a database', true],
  ])('pages whose first connection comes an hour after their HTML are refreshed by %s', async (_what, refuses) => {
    await field.predict(1);
    const { id } = await currentRound(field.service);
    const { promise: comes, resolve: come } = Promise.withResolvers<void>();
    await visitor.context.routeWebSocket(/\/graphql$/, async (socket) => {
      await comes;
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        const { id: operation, payload } = JSON.parse(String(message));
        const error = { id: operation, type: 'error', payload: [{ message: 'No queries' }] };
        if (refuses && payload?.query?.startsWith('query')) socket.send(JSON.stringify(error));
        else server.send(message);
      });
    });
    const states = await Promise.all(
      ['/rounds', '/agents/1'].map(async (path) => {
        const tab = await visitor.context.newPage();
        await tab.goto(field.service.url + path);
        await tab.locator('.link.connecting').waitFor();
        return tab.locator(':is(li, tr)', { has: tab.locator(`a[href="/rounds/${id}"]`) }).getByText(/^(active|open)$/);
      }),
    );
    await field.service.nextHour();
    for (const state of states) await state.waitFor();
    come();
    for (const state of states) await state.waitFor({ state: 'detached' });
    await visitor.context.close();
  });

  test('heartbeats cause no queries', async () => {
    await using stack = new AsyncDisposableStack();
    const beating = await openField({ agents: 0, intervals: { heartbeatMs: 100 } });
    stack.defer(() => beating.service.stop());
    const other = await visit(browser, beating.service.url);
    stack.defer(() => other.context.close());
    const requests: string[] = [];
    let beats = 0;
    other.page.on('request', (request) => void requests.push(request.postData() ?? ''));
    other.page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => void (beats += Number(String(payload).includes('"round":null')))),
    );
    await other.open('/rounds');
    await until('some heartbeats', () => beats > 3);
    expect(requests.filter((text) => text.includes('query Rounds'))).toEqual([]);
  });

  test('labels of lines are above the minutes, also for lines that end at 0 %', async () => {
    connect();
    await visitor.open('/rounds/1');
    await visitor.whole();
    await page.locator('.crowd-bar', { hasNotText: 'right' }).first().click();
    const figure = page.locator('.hour-line.reference .figure');
    await figure.filter({ hasText: /^0 %$/ }).waitFor();
    const { y, height } = (await figure.boundingBox()) ?? { y: Number.NaN, height: 0 };
    const minute = await page.locator('.axis text', { hasText: ':60' }).first().boundingBox();
    expect(y + height).toBeLessThanOrEqual((minute?.y ?? 0) + 1);
    await visitor.context.close();
  });

  test('a page without prices shows no changes, and nothing of agents before their first answer', async () => {
    const fresh = await openField({ agents: 0 });
    const other = await visit(browser, fresh.service.url);
    const { promise: comes, resolve: come } = Promise.withResolvers<void>();
    await other.page.route('**/graphql', async (route) => {
      await comes;
      await route.continue();
    });
    await other.open('/');
    const returns = other.page.getByRole('img', { name: 'Return since the start of the hour' });
    await returns.waitFor();
    expect(await returns.getAttribute('aria-label')).not.toContain('0.00 %');
    expect(await other.page.locator('.return').allInnerTexts()).not.toContain(/0\.00/);
    come();
    await other.page.getByRole('img', { name: /^Probability of .* Price \d+ %, / }).waitFor();
    expect(await other.page.locator('.hour-line.arena text').count()).toBe(0);
    const { y = 0 } = (await other.page.getByText('No entry yet.').boundingBox()) ?? {};
    const bars = await other.page.locator('.crowd-bars').boundingBox();
    expect(y).toBeGreaterThan((bars?.y ?? 0) + (bars?.height ?? 0) - 1);
    await other.picture('now-fresh');
    await other.context.close();
    await fresh.service.stop();
  });
});
