import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { amendRound } from '../jobs/amended-round.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { decide } from '../support/outcomes.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { currentRound, firstOf } from '../support/rounds.ts';
import { FAULTLESS, visit, type Visit } from '../support/visit.ts';

(hasBrowser() ? describe : describe.skip)('agent signed in', () => {
  let field: PlayedField;
  let browser: Browser;
  let visitor: Visit;
  let page: Page;
  let player: Player;

  beforeAll(async () => {
    field = await openField({ agents: 3 });
    player = await register(field.service, 'by-hand');
    browser = await openBrowser();
    visitor = await visit(browser, field.service.url);
    ({ page } = visitor);
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  /** Goes on by the tab key until what has the focus is this. */
  async function tabTo(selector: string): Promise<void> {
    for (let stops = 0; stops < 80; stops += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    }
    throw new Error(`The tab key does not reach ${selector}`);
  }

  async function roundOne(): Promise<{ readonly choices: readonly string[]; readonly outcome: string }> {
    const query = '{ round(id: 1) { choices outcome } }';
    return (await dataOf(field.service, query)).round;
  }

  const signedIn = (): Promise<void> => visitor.heading().filter({ hasText: 'by-hand' }).waitFor();

  test('an agent’s owner signs in, answers and sees the record by keyboard alone', async () => {
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''));
    await visitor.open('/me');
    await visitor.heading().filter({ hasText: 'My agent' }).waitFor();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('me-sign-in');
    await tabTo('input[name=key]');
    await page.keyboard.insertText(`pk_live_${'0'.repeat(48)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'No agent has this key. It may have been replaced.' }).waitFor();
    await page.locator('input[name=key]').clear();
    await page.keyboard.insertText(player.key);
    await page.keyboard.press('Enter');
    await signedIn();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.getByRole('heading', { name: 'Answer this hour' }).waitFor();
    const beside = page.getByRole('region', { name: 'The hour so far' });
    await beside.getByRole('img', { name: /^Probability of / }).waitFor();
    await beside.getByText('0 entries').waitFor();
    await tabTo('.answer-form .picks input');
    await page.keyboard.press('Space');
    await tabTo('.answer-form input[type=range]');
    await page.keyboard.press('ArrowRight');
    await tabTo('.answer-form button');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Answer stored' }).waitFor();
    await page.getByText('at 61 %').waitFor();
    await field.service.nextHour();
    await page.getByRole('heading', { name: 'Answer this hour' }).waitFor();
    // What became of the answer stays above the next form, until that is dismissed.
    const result = page.locator('.awaited', { hasText: 'in round 1.' });
    await result.getByRole('heading', { name: /^(Right!|Wrong, this time)$/ }).waitFor();
    await result.getByText('of simulated P&L, place').waitFor();
    await visitor.picture('me-result');
    await page.reload();
    await result.getByRole('heading', { name: /^(Right!|Wrong, this time)$/ }).waitFor();
    await result.getByRole('button', { name: 'Got it' }).click();
    expect(await result.count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Answer this hour' }).waitFor();
    expect(await result.count()).toBe(0);
    // An amended result is a new one.
    const { choices, outcome } = await roundOne();
    await amendRound(field.service, 1, choices.find((choice) => choice !== outcome) ?? null);
    await result.getByRole('heading', { name: /^(Right!|Wrong, this time)$/ }).waitFor();
    await result.getByRole('button', { name: 'Got it' }).click();
    await page.getByRole('heading', { name: 'Newest predictions' }).waitFor();
    await tabTo('[aria-label="Table: newest predictions"]');
    // A header holds the key, and nothing else does.
    expect(sent.filter((text) => text.includes(player.key))).toEqual([]);
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('me');
  });

  test('/me has the results of the last rounds, and the reasons of refusals', async () => {
    await page.getByRole('heading', { name: 'The last 1 round 1 predicted' }).waitFor();
    expect(await predict(field.service, player, { prediction: 'NEVER' })).toMatchObject({ status: 400 });
    await field.service.nextHour();
    await field.service.nextHour();
    await page
      .getByRole('heading', {
        name: 'The last 3 rounds 1 predicted, 1 refused, 1 missed; usually 50 minutes before the end',
      })
      .waitFor();
    const marks = page.locator('svg.own-rounds rect');
    expect(await marks.evaluateAll((all) => all.map((one) => one.getAttribute('class')))).toEqual([
      'predicted',
      'refused',
      'absent',
    ]);
    await tabTo('section:has(#own-rounds) summary');
    await page.keyboard.press('Enter');
    await page.getByText(/^Round 2, Thu, Jan 1 13:00: refused 1 time, at last for invalid_parameter$/).waitFor();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('me-rounds');
  });

  test('/me sets and deletes a standing prediction, and shows refusals', async () => {
    const panel = page.locator('section', { has: page.locator('#own-standing') });
    const set = panel.getByRole('button', { name: 'Set this answer' });
    await panel.locator('select[name=type]').selectOption('direction');
    await panel.locator('select[name=asset]').selectOption('BTC');
    await set.click();
    expect(await panel.getByRole('alert').innerText()).toBe('Choose an answer first.');
    await panel.locator('.picks label', { hasText: 'YES' }).click();
    await set.click();
    const row = page.getByRole('listitem').filter({ hasText: /^direction BTC: YES at 60 %/ });
    await row.waitFor();
    await page.getByRole('heading', { name: /^Standing answers until/ }).waitFor();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('me-standing');
    await row.getByRole('button', { name: 'End' }).click();
    await row.waitFor({ state: 'detached' });
    // Assets are numbered in the order of the clicks; a second click takes one out.
    await panel.locator('select[name=type]').selectOption('podium');
    expect(await panel.locator('select[name=asset]').count()).toBe(0);
    for (const asset of ['SOL', 'BTC', 'ETH', 'BTC']) await panel.locator('.picks label', { hasText: asset }).click();
    expect(await panel.locator('.picks label', { hasText: '.' }).allInnerTexts()).toEqual(['2. ETH', '1. SOL']);
    await set.click();
    await panel
      .getByRole('listitem')
      .filter({ hasText: /^podium : SOL, ETH at 60 %/ })
      .waitFor();
  });

  test('a session survives a reload, and is limited to its tab', async () => {
    await page.reload();
    await signedIn();
    const other = await visitor.context.newPage();
    await other.goto(`${field.service.url}/me`);
    await other.getByLabel('The agent’s key').waitFor();
    await other.close();
  });

  test('/me replaces the key, and continues with the new one', async () => {
    await page.getByRole('button', { name: 'Replace the key' }).click();
    await page.getByText('the one before is no longer valid').waitFor();
    await page.getByText('Show it, and a first line').click();
    const key = await page.locator('.key code').first().innerText();
    expect(key).toMatch(/^pk_live_[0-9a-f]{48}$/);
    expect(key).not.toBe(player.key);
    expect(await page.locator('.key code').nth(1).innerText()).toContain(`Bearer ${key}`);
    await page.reload();
    await signedIn();
  });

  test('signing out deletes the key, also after a reload', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('The agent’s key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.reload();
    await page.getByLabel('The agent’s key').waitFor();
  });

  test('a refused key shows the service’s message', async () => {
    await page.getByLabel('The agent’s key').fill(`${player.key.slice(0, -1)}${player.key.endsWith('0') ? '1' : '0'}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/key/i);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('/me activates a spectator', async () => {
    const { key } = await register(field.service, 'by-hand-watching', { mode: 'spectate' });
    await page.getByLabel('The agent’s key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Let it compete' }).click();
    await page.getByText('This agent only watches.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out' }).click();
  });

  test('/me does not list the hour of registration as missed', async () => {
    const { key } = await register(field.service, 'by-hand-late');
    await page.getByLabel('The agent’s key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Answer this hour' }).waitFor();
    await field.service.nextHour();
    await field.service.nextHour();
    await page.getByRole('heading', { name: 'The last 1 round 1 missed' }).waitFor();
    const { width = 0 } = (await page.locator('svg.own-rounds rect').boundingBox()) ?? {};
    // One round is a mark, and no wall.
    expect(width).toBeLessThan(60);
    await page.getByRole('button', { name: 'Sign out' }).click();
  });

  test('signed-in people are not called to join', async () => {
    const { key } = await register(field.service, 'by-hand-joined');
    const join = page.getByRole('banner').getByRole('link', { name: 'Join' });
    await join.waitFor();
    await page.getByLabel('The agent’s key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signedIn();
    await join.waitFor({ state: 'hidden' });
    await page.reload();
    await signedIn();
    await join.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await join.waitFor();
  });

  test.each([
    ['/me', 'The hour is being decided.', 'Answer this hour'],
    ['/', 'being decided', 'left to answer'],
  ])('%s shows that an hour between its end and its outcome is being decided', async (path, text, before) => {
    const waiting = await register(field.service, `by-hand-at${path.replace('/', '-')}`);
    const { page: other, context } = await visit(browser, field.service.url);
    await other.addInitScript(`sessionStorage.setItem('hourcast-key', ${JSON.stringify(waiting.key)})`);
    await other.routeWebSocket('**/graphql', (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) =>
        socket.send(String(message).replaceAll('"status":"active"', '"status":"resolving"')),
      );
    });
    await other.goto(`${field.service.url}${path}`);
    await other.getByText(before).first().waitFor();
    await other.locator('.link.live').waitFor();
    // The change that comes to the page.
    await predict(field.service, await register(field.service, `other-at${path.replace('/', '-')}`));
    await other.getByText(text, { exact: true }).first().waitFor();
    // Other parts of the page may follow a moment later.
    await other.getByText(before).first().waitFor({ state: 'hidden' });
    await context.close();
  });

  test('a session survives the closing of its tab on request', async () => {
    const { key } = await register(field.service, 'by-hand-2');
    await page.getByLabel('The agent’s key').fill(key);
    await page.getByLabel('Keep it in this browser after the tab is closed').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signedIn();
    const other = await visitor.context.newPage();
    await other.goto(`${field.service.url}/me`);
    await other.getByRole('heading', { level: 1, name: 'by-hand-2' }).waitFor();
    await other.close();
  });

  test('/me has the agent registered in /join after a reload', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.open('/join');
    await page.getByLabel('The agent’s name').fill('joined-by-hand');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/^pk_live_[0-9a-f]{48}$/).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'My agent' }).click();
    await visitor.heading().filter({ hasText: 'joined-by-hand' }).waitFor();
  });

  test('a result takes the place of its answer, where screen readers await it', async () => {
    const awaiting = await register(field.service, 'awaiting');
    const round = await currentRound(field.service);
    await predict(field.service, awaiting);
    await field.playWithoutPrices();
    const { page: own, context } = await visit(browser, field.service.url);
    await own.addInitScript(`sessionStorage.setItem('hourcast-key', ${JSON.stringify(awaiting.key)})`);
    await own.goto(`${field.service.url}/me`);
    await own.locator('.link.live').waitFor();
    const answer = await own.locator('.awaited', { hasText: 'Answer stored' }).elementHandle();
    decide(field.service, round, firstOf(round.choices));
    await field.service.turn();
    await own.getByRole('heading', { name: 'Right!' }).waitFor();
    expect(await answer?.evaluate(({ isConnected }) => isConnected)).toBe(true);
    await context.close();
  });

  test('an owner dismisses a result, not an answer that waits for one', async () => {
    const patient = await register(field.service, 'patient');
    await predict(field.service, patient);
    await field.playWithoutPrices();
    const { page: own, context } = await visit(browser, field.service.url);
    await own.addInitScript(`sessionStorage.setItem('hourcast-key', ${JSON.stringify(patient.key)})`);
    await own.goto(`${field.service.url}/me`);
    const dismissal = own.getByRole('button', { name: 'Got it' });
    await own.getByRole('heading', { name: 'Answer stored' }).waitFor();
    expect(await dismissal.count()).toBe(0);
    await field.sleep(25);
    await own.getByText('The round is void').waitFor();
    await dismissal.click();
    await own.getByText('The round is void').waitFor({ state: 'hidden' });
    await context.close();
  });
});
