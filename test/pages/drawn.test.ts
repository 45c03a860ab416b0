import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { routeAt } from '../../dashboard/addresses.ts';
import { type Bundle, bundleOnce } from '../../src/pages/bundle.ts';
import { predict, register } from '../support/agents.ts';
import { drawnPage } from '../support/drawn-page.ts';
import { firstOf, hourAsking } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let bundle: Bundle;
beforeAll(async () => {
  [service, bundle] = await Promise.all([startService(), bundleOnce()]);
  await register(service, 'drawn');
  await service.nextHour();
});
afterAll(() => service.stop());

/** What stands in a page's element before its scripts run, and what its parts make of the first answers that it holds. */
async function drawnAt(path: string): Promise<{ served: string; brief: string; whole: string }> {
  const html = await (await fetch(`${service.url}${path}`)).text();
  const [, served = '', answers = ''] =
    /<div id="page">(.*?)<noscript>.*<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  const { pathname, search } = new URL(path, service.url);
  const route = routeAt(pathname, search);
  if (route === null) throw new Error(`${path} is none of the page's addresses`);
  const draw = (isBrief: boolean): Promise<string> =>
    bundle.draw({ route, origin: service.url, answers: JSON.parse(answers), isBrief });
  return { served, brief: await draw(true), whole: await draw(false) };
}

test('the HTML has the first view of the hour as scripts draw it', async () => {
  const { served, brief, whole } = await drawnAt('/');
  expect(served).toBe(brief);
  expect(whole.startsWith(served.slice(0, served.indexOf('</section></div></main>')))).toBe(true);
  expect(served).toMatch(/<h1 id="question">[^<]+\?<\/h1>.*<span class="digits" role="timer">\d\d:\d\d<\/span>/s);
});

test.each([
  ['/', ''],
  ['/rounds', 'Rounds'],
  ['/rounds/1', ''],
  ['/agents/1?against=1', 'drawn'],
  ['/leaderboard', 'Leaderboard'],
  ['/leaderboard/2026-01', ''],
  ['/forecast', 'The arena’s forecast'],
  ['/archive', 'Frozen boards'],
  ['/questions', 'Questions'],
  ['/about', 'One question an hour'],
  ['/join', 'Join'],
  ['/me', 'My agent'],
  ['/embed/round', ''],
  ['/embed/agent/1', ''],
])('%s is drawn from its first answers without a browser', async (path, title) => {
  const { whole } = await drawnAt(path);
  expect(whole).toMatch(new RegExp(`<h1[^>]*>${title}`));
});

test.each(['/', '/embed/round'])('%s has the hour before the first prices', async (path) => {
  const present = { ...service.market };
  Object.assign(service.market, { quotes: () => null });
  try {
    const { whole } = await drawnAt(path);
    expect(whole).toMatch(/<h1[^>]*>(<a [^>]+>)?[^<]+\?</);
    // Whether there are none is asked once the page is there.
    expect(whole.includes('Prices <small></small>')).toBe(path === '/');
  } finally {
    Object.assign(service.market, present);
  }
});

test('pages of a sealed hour ask about its first answer, and show that answers are sealed', async () => {
  const sealed = await startService({ picks: 'sealed' });
  try {
    const player = await register(sealed, 'sealed');
    const { id, choices } = await hourAsking(sealed, (round) => round.choices.length > 2);
    await predict(sealed, player);
    for (const path of ['/', '/embed/round', `/rounds/${id}`]) {
      const { html, text } = await drawnPage(sealed, path);
      expect(text).toContain(`How likely is ${firstOf(choices)} ?`);
      expect(html).not.toContain('radiogroup');
    }
    for (const path of [`/rounds/${id}`, '/agents/1'])
      expect((await drawnPage(sealed, path)).html).toMatch(/<td class="number( wide)?">sealed<\/td>/);
  } finally {
    await sealed.stop();
  }
});

test('drawn pages have no style attributes, which their policy forbids', async () => {
  expect((await drawnAt('/rounds/1')).whole).not.toContain(' style=');
});
