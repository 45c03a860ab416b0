import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { hashOf } from '../support/arena.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { activeRound, openField, type PlayedField } from '../support/played-field.ts';
import { visit } from '../support/visit.ts';

const STATES = 1_000;
const AGENTS = 400;

/** What the page says at a moment: how many entries, how many by answers, and what these are in percent. */
interface ShownState {
  readonly entries: number;
  readonly answers: number;
  readonly percent: number;
}

/** Notes what the page says after each of its changes. */
const WATCH = `(() => {
  globalThis.said = [];
  const sum = (selector) => [...document.querySelectorAll(selector)]
    .reduce((all, { textContent }) => all + (parseInt(textContent.replace(',', ''), 10) || 0), 0);
  new MutationObserver(() => {
    const now = { entries: sum('.crowd h2 small'), answers: sum('.crowd-bar .n'), percent: sum('.crowd-bar .share') };
    if (now.entries !== said.at(-1)?.entries || now.answers !== said.at(-1)?.answers) said.push(now);
  }).observe(document.getElementById('page'), { subtree: true, childList: true, characterData: true });
})()`;

(hasBrowser() ? describe : describe.skip)('answers to the hour being played', () => {
  let field: PlayedField;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    field = await openField({ agents: AGENTS, intervals: { entriesMs: 1 } });
    browser = await openBrowser();
    ({ page } = await visit(browser, field.service.url));
    await page.goto(field.service.url);
    await page.locator('.link').filter({ hasText: 'Live' }).waitFor();
    await page.evaluate(WATCH);
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  /** All agents answer, now one, now many at once; ends when the page says so. */
  const answerInBursts = async (): Promise<void> => {
    const { service, agents, random } = field;
    const { id: roundId, choices } = await activeRound(service);
    const writer = predictionWriter(service.submissions, service.clock, 0);
    for (let from = 0; from < agents.length;) {
      const burst = agents.slice(from, from + (random.chance(0.1) ? random.between(10, 30) : 1));
      from += burst.length;
      await Promise.all(
        burst.map((agent) =>
          writer.write({
            roundId,
            keyHash: hashOf(agent),
            prediction: random.pick(choices),
            confidence: random.between(0, 100),
            idempotencyKey: null,
          }),
        ),
      );
    }
    await page
      .locator('.crowd h2 small')
      .filter({ hasText: `${AGENTS} entries` })
      .waitFor();
  };

  test(`answers add up to their count in ${STATES} states under bursts, and nearly to 100 %`, async () => {
    let states: readonly ShownState[] = [];
    while (states.length < STATES) {
      await answerInBursts();
      await field.service.nextHour();
      await page
        .locator('.crowd h2 small')
        .filter({ hasText: /^0 entries/ })
        .waitFor();
      states = await page.evaluate<ShownState[]>('said');
    }
    expect(states.filter(({ entries, answers }) => entries !== answers)).toEqual([]);
    const isOff = ({ entries, percent }: ShownState): boolean => Math.abs(percent - (entries === 0 ? 0 : 100)) > 4;
    expect(states.filter(isOff)).toEqual([]);
  });
});
