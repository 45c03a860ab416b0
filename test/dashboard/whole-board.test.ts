import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { register } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { drawnPage } from '../support/drawn-page.ts';
import { openField, type PlayedField } from '../support/played-field.ts';

const AGENTS = 315;
let field: PlayedField;
beforeAll(async () => {
  field = await openField({ agents: AGENTS, minutes: [4, 57] });
  await field.play(1, 1);
});
afterAll(() => field.service.stop());

const rankingsOf = async (filter: string) => {
  const query = `{ leaderboard(${filter}) { places rankings { name totalPoints medianMinute edge { mean } } } }`;
  return (await dataOf(field.service, query)).leaderboard;
};

const read = async (path: string): Promise<string> => (await drawnPage(field.service, path)).text;

test('a board by points goes on to its last agent, also without scripts', async () => {
  const { rankings } = await rankingsOf('limit: 100, after: 300');
  const { html, text } = await drawnPage(field.service, '/leaderboard?after=300');
  expect(rankings).toHaveLength(AGENTS - 300);
  for (const { name } of rankings) expect(text).toContain(name);
  expect(text).toContain(`301 to ${AGENTS} of ${AGENTS}`);
  expect(html).toContain('href="/leaderboard?period=weekly&amp;order_by=points&amp;after=200"');
  expect(html).not.toContain('Next 100');
});

test('a board in another order goes on to its last agent', async () => {
  const { rankings } = await rankingsOf('orderBy: PNL, limit: 100, after: 300');
  const text = await read('/leaderboard?order_by=pnl&after=300');
  expect(rankings).toHaveLength(AGENTS - 300);
  for (const { name } of rankings) expect(text).toContain(name);
  expect(text).toContain(`301 to ${AGENTS} of ${AGENTS}`);
  expect(await read('/leaderboard?order_by=pnl&after=400')).toContain('The board ends before this place.');
});

test('an address beyond the end of a board leads to its last places', async () => {
  const { html, text } = await drawnPage(field.service, '/leaderboard?after=99999');
  expect(text).toContain('The board ends before this place.');
  expect(html).toMatch(/href="[^"]*;after=300">100 before</);
});

test('each row by points has edge with its sign and the median minute, above what the signs mean', async () => {
  const { rankings } = await rankingsOf('limit: 100');
  const { html, text } = await drawnPage(field.service, '/leaderboard');
  for (const { name, edge, medianMinute } of rankings.slice(0, 20)) {
    const sign = Math.abs(edge.mean) < 0.0005 ? '' : edge.mean < 0 ? '−' : '[+]';
    const row = new RegExp(
      `${name} .*? ${sign}${Math.abs(edge.mean).toFixed(3)} at :${medianMinute === 4 ? '04' : '57'} `,
    );
    expect(text).toMatch(row);
  }
  expect(text).toContain('Points reward late answers; edge does not.');
  expect(html.indexOf('Grey: 95 % interval.')).toBeLessThan(html.indexOf('<table'));
});

test('the list of agents goes on, and finds names by their beginning', async () => {
  expect(await read('/agents')).toContain('Next 100');
  const [, path = ''] = /href="(\/agents\?after=[^"]+)"/.exec((await drawnPage(field.service, '/agents')).html) ?? [];
  const first = await read('/agents');
  for (const [name = ''] of (await read(path)).matchAll(/Agent-\d+/g)) expect(first).not.toContain(`${name} `);
  const found = [...(await read('/agents?name=AGENT-31')).matchAll(/Agent-\d+/g)].map(([name]) => name);
  expect(found).toEqual(['Agent-31', 'Agent-310', 'Agent-311', 'Agent-312', 'Agent-313', 'Agent-314', 'Agent-315']);
  expect(await read('/agents?name=nobody')).toContain('No agent’s name begins so.');
});

test('a board has words for the bound of its rank intervals', async () => {
  expect(await read('/leaderboard')).toContain('intervals of ranks are among the first 100.');
});

test('the list of agents has each one’s edge and median minute, as boards and its own page', async () => {
  const { rankings } = await rankingsOf('limit: 20');
  const { text } = await drawnPage(field.service, '/agents');
  expect(text).toContain('Points reward late answers; edge does not. Edge above 0 beats the price; at: median minute.');
  for (const { name, edge, medianMinute } of rankings) {
    const sign = Math.abs(edge.mean) < 0.0005 ? '' : edge.mean < 0 ? '−' : '[+]';
    const minute = medianMinute === 4 ? ':04' : ':57';
    expect(text).toMatch(new RegExp(`${name} [^A]*? ${sign}${Math.abs(edge.mean).toFixed(3)} at ${minute} `));
    const page = await read(`/agents/${name.replace('Agent-', '')}`);
    expect(page).toContain(`Median minute of its last 30 answers: ${minute}.`);
  }
});

test('an agent without a scored round has words instead of a share', async () => {
  const { id, name } = await register(field.service, 'not-yet-scored');
  const text = await read(`/agents/${id}`);
  expect(text).toContain('Right – no round scored yet');
  expect(text).not.toContain('0.0 %');
  expect(await read(`/agents?name=${name}`)).toMatch(/not-yet-scored 0 – no round yet/);
});

test('the first page’s board is by points until ten agents have 20 rounds, and says so', async () => {
  const text = 'By points until ten agents have 20 rounds.';
  expect(await (await fetch(`${field.service.url}/`)).text()).toContain('"orderBy":"POINTS"');
  expect((await (await fetch(`${field.service.url}/`)).text()).includes(text)).toBe(true);
});

describe('after the day', () => {
  beforeAll(async () => {
    for (let hour = 0; hour < 12; hour += 1) await field.service.nextHour();
  });

  test('a frozen board shows how many of its agents it holds', async () => {
    expect(await read('/leaderboard/2026-01-01')).toContain(`100 of ${AGENTS} agents`);
  });
});

(hasBrowser() ? describe : describe.skip)('in a browser', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  });
  afterAll(() => browser.close());

  test('the board goes on by a link, and another order begins anew', async () => {
    await page.goto(`${field.service.url}/leaderboard`);
    const first = await page.locator('.board tbody th').first().innerText();
    await page.getByRole('link', { name: 'Next 100' }).click();
    await page.getByText(`101 to 200 of ${AGENTS}`).waitFor();
    expect(await page.locator('.board tbody th').first().innerText()).not.toBe(first);
    await page.getByRole('radio', { name: 'P&L', exact: true }).check();
    await page.getByText(`1 to 100 of ${AGENTS}`).waitFor();
    expect(page.url()).toBe(`${field.service.url}/leaderboard?period=weekly&order_by=pnl`);
  });

  test('the citation of a live board is the address of a frozen one', async () => {
    await page.goto(`${field.service.url}/leaderboard?period=daily&order_by=edge`);
    const frozen = `${field.service.url}/leaderboard/2026-01-01`;
    const text = await page.getByRole('region', { name: 'The citation' }).innerText();
    expect(text).toContain('Leaderboard of Thursday, January 1, 2026. Hourcast, 2026-01-02 00:');
    expect(text).toContain(`UTC, ${frozen} (CC0 1.0)`);
    expect(await page.getByRole('link', { name: 'Its rows as CSV' }).getAttribute('href')).toBe(
      '/leaderboard/2026-01-01.csv',
    );
    await page.getByRole('radio', { name: 'Week', exact: true }).check();
    await page.getByText('Only finished boards stay as they are; none is finished yet.').waitFor();
  });

  test('a field leads from the board to the agents with such a name', async () => {
    await page.goto(`${field.service.url}/leaderboard`);
    await page.getByRole('search').getByRole('textbox').fill('agent-31');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: 'Agent-315' }).click();
    await page.getByRole('heading', { name: 'Agent-315' }).waitFor();
  });

  test('head to head offers the agents whose name begins as typed', async () => {
    await page.goto(`${field.service.url}/agents/1`);
    await page.getByLabel('Another agent’s name').fill('agent-31');
    await page.locator('#rivals option').filter({ hasText: 'Agent-315' }).waitFor({ state: 'attached' });
    await page.getByLabel('Another agent’s name').fill('agent-315');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('status').filter({ hasText: 'Agent-315 share 1 round.' }).waitFor();
  });
});
