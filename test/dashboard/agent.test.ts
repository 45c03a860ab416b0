import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { MINUTE } from '../../src/rules/hours.ts';
import { dataOf } from '../support/asking.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { type Fact, openField, type PlayedField } from '../support/played-field.ts';
import { FAULTLESS, visit, type Visit } from '../support/visit.ts';

const AGENT = 2;

/** Minutes left, from the most on: where each part begins and what it is called. */
const PARTS = [
  [45, '45-60'],
  [30, '30-45'],
  [15, '15-30'],
  [5, '5-15'],
  [0, '0-5'],
] as const;

function partOf({ end, submittedAt }: Fact): string {
  const left = (end.getTime() - submittedAt.getTime()) / MINUTE;
  return PARTS.find(([from]) => left >= from)?.[1] ?? '';
}

function edgeText(mean: number): string {
  return `${mean < 0 ? '−' : '+'}${Math.abs(mean).toFixed(3)}`;
}

/** The ends of the first line's axis. */
async function axisOf(page: Page): Promise<readonly string[]> {
  const texts = page
    .locator('section', { has: page.getByText('Points over time') })
    .locator('.axis')
    .last();
  await texts.waitFor();
  return texts.locator('text').allTextContents();
}

(hasBrowser() ? describe : describe.skip)('page of an agent', () => {
  let field: PlayedField;
  let browser: Browser;
  let visitor: Visit;
  let page: Page;
  let facts: readonly Fact[];
  let oneDay: readonly string[];

  beforeAll(async () => {
    field = await openField({ agents: 3, minutes: [2, 17, 44, 53] });
    await field.play(4, 1);
    browser = await openBrowser();
    visitor = await visit(browser, field.service.url);
    ({ page } = visitor);
    await visitor.open(`/agents/${AGENT}`);
    oneDay = await axisOf(page);
    await field.play(16);
    facts = (await field.facts()).filter(({ agentId, score }) => agentId === AGENT && score !== null);
    await visitor.open(`/agents/${AGENT}`);
    await visitor.whole();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  test('a line over one day has hours at its ends, else days', async () => {
    expect(oneDay).toEqual([expect.stringMatching(/^Thu, Jan 1, \d\d:00$/), expect.stringMatching(/^\d\d:00$/)]);
    expect(await axisOf(page)).toEqual(['Thu, Jan 1', 'Fri, Jan 2']);
  });

  test('the record begins with a verdict by edge and the usual minute', async () => {
    const panel = page.locator('section', { has: page.locator('#certainty') });
    const [verdict, when] = await panel.locator('p').allInnerTexts();
    const edges = facts.filter(({ edge }) => edge !== null);
    expect(verdict).toBe(`Too few rounds to tell: ${edges.length} of 20`);
    const minutes = facts.map(({ start, submittedAt }) =>
      Math.floor((submittedAt.getTime() - start.getTime()) / MINUTE),
    );
    const median = minutes.toSorted((one, other) => one - other)[(minutes.length - 1) >> 1];
    expect(when).toBe(`Median minute of its last 30 answers: :${median}. Points reward late answers; edge does not.`);
  });

  const breakdown = () => page.locator('section', { has: page.locator('#breakdown') });

  test('each question type has a bar with edge and rounds, the best first, and no empty map', async () => {
    const shown = await breakdown().locator('tbody tr').allInnerTexts();
    const byType = Map.groupBy(facts, ({ questionType }) => questionType.replaceAll('_', ' '));
    const expected = [...byType].map(([type, own]) => {
      const edges = own.map(({ edge }) => edge ?? Number.NaN);
      return { type, n: own.length, mean: edges.reduce((sum, edge) => sum + edge, 0) / edges.length };
    });
    const lines = expected
      .toSorted((one, other) => other.mean - one.mean)
      .map(({ type, n, mean }) => `${type} ${n} ${n === 1 ? 'round' : 'rounds'} ${edgeText(mean)} –`);
    expect(shown.map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual(lines);
    expect(await breakdown().locator('tbody circle').count()).toBe(lines.length);
    expect(await breakdown().getByRole('radio').count()).toBe(3);
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('agent');
  });

  test('the newest predictions come before the badge', async () => {
    const heads = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    expect(heads.indexOf('Newest predictions')).toBeGreaterThan(0);
    expect(heads.indexOf('Newest predictions')).toBeLessThan(heads.indexOf('Share'));
  });

  test('the agent is compared with another by name, which the address keeps', async () => {
    const name = page.getByLabel('Another agent’s name');
    const compare = page.getByRole('button', { name: 'Compare' });
    const offered = await page.locator('#rivals option').allTextContents();
    expect(offered.toSorted()).toEqual(['Agent-1', 'Agent-3']);
    await name.fill('nobody-here');
    await compare.click();
    await page.getByRole('alert').filter({ hasText: 'There is no agent nobody-here.' }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await name.fill(' AGENT-3 ');
    await compare.click();
    await page.getByText(/^Agent-2 and Agent-3 share \d+ rounds\./).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?against=3');
    await page.getByRole('region', { name: 'Table: differences' }).waitFor();
    await page.reload();
    await page.getByText(/^Agent-2 and Agent-3 share \d+ rounds\./).waitFor();
  });

  test('the page has the HTML for embedding it', async () => {
    const { url } = field.service;
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const panel = page.locator('section', { has: page.locator('#share') });
    const badge = panel.getByRole('img');
    expect(await badge.getAttribute('alt')).toMatch(/^Agent-2 on Hourcast$/);
    await badge.scrollIntoViewIfNeeded();
    const drawn = `document.querySelector('[src="/badge/agent/${AGENT}.svg"]')`;
    expect(await page.evaluate(`${drawn}.decode().then(() => ${drawn}.naturalWidth)`)).toBeGreaterThan(0);
    const texts = await panel.locator('code').allInnerTexts();
    expect(texts[0]).toContain(`(${url}/badge/agent/${AGENT}.svg)](${url}/agents/${AGENT})`);
    await panel.getByRole('button', { name: 'Copy' }).nth(1).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(texts[1]);
    const preview = await page.request.get(url + ((await panel.getByRole('link').getAttribute('href')) ?? ''));
    expect([preview.status(), preview.headers()['content-type']]).toEqual([200, 'image/png']);
    expect(texts[1]).toContain(`src="${url}/embed/agent/${AGENT}"`);
    expect((await page.request.get(`${url}/embed/agent/${AGENT}`)).status()).toBe(200);
    expect(visitor.complaints).toEqual([]);
  });

  test('a followed agent comes first on the board, with its results since the last visit', async () => {
    const board = await visit(browser, field.service.url);
    await board.open('/leaderboard');
    expect(await board.page.locator('#followed').count()).toBe(0);
    await board.open(`/agents/${AGENT}`);
    await board.page.getByRole('button', { name: 'Follow' }).click();
    await board.page.getByRole('button', { name: 'Follow', pressed: true }).waitFor();
    expect(await board.page.getByText('Since your last visit').count()).toBe(0);
    const points = async () => {
      const query = `{ agent(id: ${AGENT}) { totalPoints } }`;
      return (await dataOf(field.service, query)).agent.totalPoints;
    };
    const before = await points();
    await board.page.setViewportSize({ width: 390, height: 844 });
    await field.play(2, 1);
    const gained = (await points()) - before;
    await board.open('/leaderboard');
    const list = board.page.locator('section', { has: board.page.locator('#followed') });
    const signed = `${gained > 0 ? '+' : gained < 0 ? '−' : ''}${Math.abs(gained)}`;
    await list.getByText(`Since your last visit: 2 rounds, ${signed} points`).waitFor();
    await list.getByRole('link', { name: `Agent-${AGENT}` }).waitFor();
    const above = "document.querySelector('.followed ~ section.panel table.board') !== null";
    expect(await board.page.evaluate(above)).toBe(true);
    expect(await board.shift()).toBeLessThan(0.02);
    expect(await board.faultsInAllLooks()).toEqual(FAULTLESS);
    await board.picture('board-followed');
    await board.open('/');
    const onNow = board.page.locator('.standings .followed:has(~ table.board)');
    await onNow.getByText(/^Rank \d+, .* points/).waitFor();
    expect(await board.shift()).toBeLessThan(0.02);
    expect(await board.faultsInAllLooks()).toEqual(FAULTLESS);
    await board.picture('now-followed');
    await onNow.getByRole('link').click();
    await board.page.getByRole('button', { name: 'Follow', pressed: true }).click();
    await board.page.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
    await board.open('/leaderboard');
    await board.page.locator('table.board').waitFor();
    expect(await board.page.locator('#followed').count()).toBe(0);
    expect(board.complaints).toEqual([]);
    await board.context.close();
  });

  test('a map is offered once the newest predictions fill half of it', async () => {
    await field.play(70, 1);
    await page.reload();
    await breakdown().getByLabel('Map: question and minutes left').check();
    await breakdown().locator('.heat').waitFor();
    const scored = (await field.facts()).filter(({ agentId, score }) => agentId === AGENT && score !== null);
    const cells = Map.groupBy(scored, (fact) => `${fact.questionType} ${partOf(fact)}`);
    const shown = await breakdown().locator('.heat td small').allInnerTexts();
    expect(shown.toSorted()).toEqual([...cells.values()].map(({ length }) => `of ${length}`).toSorted());
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('agent-map');
  });
});
