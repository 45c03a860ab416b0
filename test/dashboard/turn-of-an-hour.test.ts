import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { amendRound } from '../jobs/amended-round.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { decide } from '../support/outcomes.ts';
import { until } from '../support/poll.ts';
import { currentRound, firstOf } from '../support/rounds.ts';
import { FAULTLESS, visit, type Visit } from '../support/visit.ts';

const SIZES = [
  ['phone', 390, 844],
  ['desk', 1440, 900],
] as const;

/** The sum of layout shifts, as browsers count them. */
const MOST_SHIFT = 0.02;
const TURNS = 6;

const titled = (page: Page, title: RegExp): Promise<true> =>
  until(`the title ${title}`, async () => title.test(await page.title()));

(hasBrowser() ? describe : describe.skip)('turn of an hour', () => {
  let field: PlayedField;
  let browser: Browser;
  let player: Player;

  beforeAll(async () => {
    field = await openField({ agents: 12, minutes: [0, 1, 2] });
    player = await register(field.service, 'own-agent');
    await field.play(2);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  const visitOf = async (path: string, [, width, height]: (typeof SIZES)[number]): Promise<Visit> => {
    const visitor = await visit(browser, field.service.url);
    await visitor.page.setViewportSize({ width, height });
    await visitor.open(path);
    await visitor.page.locator('.link.live').waitFor();
    await visitor.whole();
    await visitor.page.locator('.hour-line').first().waitFor({ state: 'attached' });
    return visitor;
  };

  interface Result {
    readonly id: number;
    readonly outcome: string;
    readonly crowd: { readonly n: number; readonly answers: readonly { answer: string; n: number }[] };
    readonly results: readonly { readonly agentName: string; readonly pnlUsd: number }[];
  }

  const lastResult = async (): Promise<Result> => {
    const query = `{ rounds(first: 1, status: [resolved]) { nodes { id outcome crowd { n answers { answer n } }
      results(limit: 1) { agentName pnlUsd } } } }`;
    return (await dataOf(field.service, query)).rounds.nodes[0];
  };

  test.each(SIZES)('on a %s the result appears above the next question, and nothing moves', async (...size) => {
    const visitor = await visitOf('/', size);
    const { page, context } = visitor;
    for (let turn = 0; turn < TURNS; turn += 1) {
      const before = await visitor.shift();
      await field.predict();
      await field.service.nextHour(0);
      const { id, outcome, crowd, results } = await lastResult();
      const strip = page.locator('.ended-hour.new');
      await strip.filter({ hasText: `Round ${id} ${outcome}` }).waitFor();
      const right = crowd.answers.find(({ answer }) => answer === outcome)?.n ?? 0;
      const [best] = results;
      const text = await strip.innerText();
      expect(text).toContain(`${Math.round((right * 100) / crowd.n)} % right of ${crowd.n} predictions`);
      if (best !== undefined && best.pnlUsd > 0)
        expect(text).toContain(`Best: ${best.agentName} +$${best.pnlUsd.toFixed(2)}`);
      await page.locator('.hero .eyebrow', { hasText: `Round ${id + 1} ` }).waitFor();
      expect(await strip.getAttribute('role')).toBe('status');
      await titled(page, new RegExp(`^${outcome} · [\\d:]+ · Hourcast: one question an hour$`));
      const strips = await strip.boundingBox();
      const question = await page.locator('#question').boundingBox();
      expect(strips?.y).toBeLessThan(question?.y ?? 0);
      expect((await visitor.shift()) - before).toBeLessThanOrEqual(MOST_SHIFT);
    }
    await context.close();
  });

  test('an hour passes without new subscriptions', async () => {
    const visitor = await visit(browser, field.service.url);
    const { page, context } = visitor;
    const sent: string[] = [];
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
    await visitor.open('/');
    await page.locator('.link.live').waitFor();
    await field.predict();
    await field.service.nextHour(0);
    const { id } = await lastResult();
    await page.locator('.ended-hour.new', { hasText: `Round ${id} ` }).waitFor();
    await page.locator('.hero .eyebrow', { hasText: `Round ${id + 1} ` }).waitFor();
    expect(sent.filter((text) => text.includes('subscription Happenings'))).toHaveLength(1);
    await context.close();
  });

  test('the page of an agent is asked for once an hour', async () => {
    const visitor = await visit(browser, field.service.url);
    const { page, context } = visitor;
    let requests = 0;
    page.on('request', (request) => (requests += request.postData()?.includes('query AgentPage') ? 1 : 0));
    const round = await currentRound(field.service);
    await predict(field.service, player);
    await visitor.open(`/agents/${player.id}`);
    await page.locator('.link.live').waitFor();
    const row = page.locator('tr', { has: page.getByRole('link', { name: String(round.id), exact: true }) });
    await row.getByText('open').waitFor();
    requests = 0;
    await field.playWithoutPrices();
    decide(field.service, round, firstOf(round.choices));
    await field.service.turn();
    await row.getByText('open').waitFor({ state: 'detached' });
    expect(requests).toBe(1);
    await context.close();
  });

  test.each([
    ['/questions', '.question-types'],
    ['/agents', '.board'],
  ])('%s follows the hours', async (path, shown) => {
    const play = async (): Promise<void> => {
      await predict(field.service, player);
      await field.service.nextHour(0);
    };
    await play();
    const visitor = await visit(browser, field.service.url);
    const { page, context } = visitor;
    await visitor.open(path);
    await page.locator('.link.live').waitFor();
    const before = await page.locator(shown).innerText();
    await play();
    await until('newer figures', async () => (await page.locator(shown).innerText()) !== before);
    await context.close();
  });

  test('a tab in front again asks for the prices of the hour', async () => {
    const { page, context } = await visitOf('/', SIZES[1]);
    // The next minute of its hour would ask later.
    const asks = page.waitForRequest((request) => request.postData()?.includes('query HourPrices') ?? false, {
      timeout: 30_000,
    });
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await asks;
    await context.close();
  });

  test('ten minutes after the hour its result is a quiet line of the same height', async () => {
    await field.predict();
    await field.service.nextHour(9);
    const visitor = await visitOf('/', SIZES[1]);
    const { page } = visitor;
    const heightOf = async (): Promise<number> => (await page.locator('.ended-hour').boundingBox())?.height ?? 0;
    const { outcome } = await lastResult();
    await page.locator('.ended-hour.new', { hasText: outcome }).waitFor();
    const height = await heightOf();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('now-hour-ended');
    await field.service.nextHour(10);
    await page.reload();
    await page.locator('.ended-hour:not(.new)', { hasText: (await lastResult()).outcome }).waitFor();
    expect(await heightOf()).toBe(height);
    await titled(page, /^[\d:]+ · Hourcast/);
    await visitor.context.close();
  });

  test.each([
    ['reduce', 'none'],
    ['no-preference', 'settle'],
  ] as const)('a visitor who prefers motion %s sees the animation %s', async (reducedMotion, animation) => {
    const { page, context } = await visitOf('/', SIZES[1]);
    await page.emulateMedia({ reducedMotion });
    await field.service.nextHour(0);
    const text = page.locator('.ended-hour.new p', { hasText: `Round ${(await lastResult()).id}` });
    await text.waitFor();
    // A paragraph that was drawn again in between has no style.
    const shown = () => text.evaluate((one) => getComputedStyle(one).animationName);
    expect(await until('its style', async () => (await shown()) || null)).toBe(animation);
    await context.close();
  });

  test('the result of the signed-in agent is beside that of all', async () => {
    const { page, context } = await visitOf('/', SIZES[0]);
    await page.evaluate(`sessionStorage.setItem('hourcast-key', ${JSON.stringify(player.key)})`);
    await page.reload();
    await page.locator('.link.live').waitFor();
    expect(await page.locator('.ended-hour', { hasText: 'Yours' }).count()).toBe(0);
    const query = '{ currentRound { choices } me { predictions(first: 1) { nodes { prediction pnlUsd } } } }';
    const data = () => dataOf(field.service, query, { key: player.key });
    const [prediction] = (await data()).currentRound.choices;
    await predict(field.service, player, { prediction, confidence: 80 });
    await field.service.nextHour(0);
    await page.locator('.ended-hour.new', { hasText: `Yours: ${prediction}, ` }).waitFor();
    const [{ pnlUsd }] = (await data()).me.predictions.nodes;
    const amount = `${pnlUsd < 0 ? '−' : '+'}$${Math.abs(pnlUsd).toFixed(2)}`;
    expect(await page.locator('.ended-hour.new').innerText()).toContain(`Yours: ${prediction}, ${amount}`);
    await context.close();
  });

  test('the row of the signed-in agent is marked on the board', async () => {
    const visitor = await visitOf('/', SIZES[1]);
    const { page } = visitor;
    await visitor.open('/leaderboard');
    await page.locator('.board tbody tr').first().waitFor();
    expect(await page.locator('.own').count()).toBe(0);
    await page.evaluate(`sessionStorage.setItem('hourcast-key', ${JSON.stringify(player.key)})`);
    await page.reload();
    await page.locator('.own th', { hasText: 'own-agentyours' }).waitFor();
    expect(await page.locator('.own').count()).toBe(1);
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('leaderboard-own');
    await visitor.context.close();
  });

  test('an amendment of the last hour changes its result, and that of the signed-in agent', async () => {
    const { page, context } = await visitOf('/', SIZES[1]);
    await page.evaluate(`sessionStorage.setItem('hourcast-key', ${JSON.stringify(player.key)})`);
    await page.reload();
    await page.locator('.link.live').waitFor();
    const { choices } = await currentRound(field.service);
    const prediction = firstOf(choices);
    await predict(field.service, player, { prediction, confidence: 80 });
    await field.service.nextHour(0);
    const { id, outcome } = await lastResult();
    const own = page.locator('.ended-hour.new', { hasText: `Yours: ${prediction}, ` });
    await own.filter({ hasText: `Round ${id} ${outcome}` }).waitFor();
    const other =
      choices.find((choice) => choice !== outcome && (choice === prediction || outcome === prediction)) ?? '';
    await amendRound(field.service, id, other);
    const sign = other === prediction ? '+' : '−';
    await own
      .filter({ hasText: `Round ${id} ${other}` })
      .filter({ hasText: `Yours: ${prediction}, ${sign}$` })
      .waitFor();
    await context.close();
  });

  test.each(SIZES)('on a %s a running round becomes decided in place, as after a reload', async (...size) => {
    await field.predict();
    const path = (await (await fetch(`${field.service.url}/`)).text()).match(/\/rounds\/\d+">Round \d+<\/a> · /)?.[0];
    const visitor = await visitOf(path?.split('"')[0] ?? '', size);
    const { page } = visitor;
    await page.evaluate('globalThis.isSame = true');
    await titled(page, /^[\d:]+ · .*\? · Round \d+$/);
    const before = await visitor.shift();
    await field.service.nextHour(0);
    const { outcome } = await lastResult();
    await page.locator('.round-state [role=status]', { hasText: outcome }).waitFor();
    await page.locator('.returns').first().waitFor();
    await titled(page, new RegExp(`^${outcome} · `));
    expect((await visitor.shift()) - before).toBeLessThanOrEqual(MOST_SHIFT);
    expect(await page.evaluate('globalThis.isSame')).toBe(true);
    expect(await page.locator('.countdown').count()).toBe(0);
    // A tab that is opened now shows the same.
    const other = await visitor.context.newPage();
    await other.setViewportSize({ width: size[1], height: size[2] });
    await other.goto(page.url());
    await other.locator('.returns').first().waitFor();
    const price = other.locator('g.hour-line.reference path').first();
    await until('its last minute', async () => (await price.getAttribute('d'))?.match(/H/g)?.length === 60);
    const text = await other.locator('.page').innerText();
    await until('the same text', async () => (await page.locator('.page').innerText()) === text);
    await other.close();
    await visitor.picture(`round-ended-${size[0]}`);
    await visitor.context.close();
  });
});
