import { expect, test } from '@jest/globals';

import { staticPage, staticStyle, withAddress } from '../../src/site/static-page.ts';

const FROM = 'http://127.0.0.1:4000';
const copiedAt = new Date('2026-02-03T04:05:06Z');
const SERVED = (body: string): string =>
  `<head>\n<meta charset="utf-8">\n<meta property="og:url" content="${FROM}/rounds/7">\n<meta property="og:image:width" content="1200">\n<script src="/page/main.js"></script>\n<link rel="modulepreload" href="/page/x.js">\n</head><body>${body}</body>`;

const pageOf = (body: string, more: { service?: string; base?: string } = {}) =>
  staticPage(SERVED(body), { address: '/rounds/7', copiedAt, addresses: { from: FROM, ...more } });
const bodyOf = (body: string, more = {}): string => /<body>(.*)<\/body>/s.exec(pageOf(body, more).html)?.[1] ?? '';

test.each([
  ['a page', '<a href="/agents/2">A</a>', '<a href="../agents/2.html">A</a>'],
  ['a part of a page', '<a href="/docs/fairness#edge">A</a>', '<a href="../docs/fairness.html#edge">A</a>'],
  ['a part of itself', '<a href="#main">A</a>', '<a href="#main">A</a>'],
  [
    'parameters',
    '<a href="/leaderboard?period=daily&amp;order_by=edge">A</a>',
    '<a href="../leaderboard~period,daily~order_by,edge.html">A</a>',
  ],
  ['another host', '<a href="https://other.example/x">A</a>', '<a href="https://other.example/x">A</a>'],
  ['a picture in the page', '<img src="data:image/png;base64,AA">', '<img src="data:image/png;base64,AA">'],
  ['a page that only a service has', '<a class="mine" href="/me">A</a>', '<a class="mine">A</a>'],
  ['an attribute in a text', '<b> href=&quot;/agents/2&quot;</b>', '<b> href=&quot;/agents/2&quot;</b>'],
])('a link to %s', (_, served, written) => {
  expect(bodyOf(served)).toBe(written);
});

test('links to pages that the site lacks lead to a named service', () => {
  const service = 'https://arena.example';
  expect(bodyOf('<a href="/api/events?a=1&amp;b=2">A</a>', { service })).toBe(
    '<a href="https://arena.example/api/events?a=1&amp;b=2">A</a>',
  );
});

test('scripts, their data, forms and buttons are left out, and what is for browsers without scripts is shown', () => {
  const served =
    '<p>1</p><noscript><p>2</p><form action="/agents"><input></form><button type="button">x</button><p class="fine">Charts need JavaScript.</p></noscript><script type="application/json">{"a":"<p>"}</script>';
  expect(bodyOf(served)).toBe('<p>1</p><p>2</p>');
  expect(pageOf(served).html).not.toMatch(/<script|modulepreload|og:/);
  expect(pageOf(served).html).toContain('<meta http-equiv="Content-Security-Policy" content="script-src \'none\';');
});

test('linked files are reported once, without fragments', () => {
  const { linked } = pageOf('<a href="/docs#a"></a><a href="/docs#b"></a><a href="/me"></a><a href="/agents/1"></a>');
  expect(linked).toEqual(['/docs', '/agents/1']);
});

test('previews name the public address of the site, if it is known', () => {
  const { html, linked } = pageOf('', { base: 'https://pages.example/x' });
  expect(html).toContain('<meta property="og:url" content="https://pages.example/x/rounds/7.html">');
  expect(html).toContain('<meta property="og:image" content="https://pages.example/x/preview/now.png">');
  expect(linked).toEqual(['/preview/now.png']);
});

test('the footer has the time of the copy, and boards instead of what operators need', () => {
  const { html, linked } = pageOf(
    '<h2>Operate it</h2>\n<ul>\n<li><a href="/admin">x</a></li>\n</ul><p>All times are UTC.</p>',
  );
  expect(html).toContain('<p>Copied on 2026-02-03 at 04:05. All times are UTC.</p>');
  expect(html).not.toContain('Operate');
  expect(linked).toHaveLength(16);
  expect(linked).toContain('/leaderboard?period=monthly&order_by=skill');
});

test('documents call the named service, or the default address', () => {
  expect(withAddress(`curl ${FROM}/api/stats`, { from: FROM })).toBe('curl http://localhost:3000/api/stats');
  expect(withAddress(`curl ${FROM}/x`, { from: FROM, service: 'https://arena.example' })).toBe(
    'curl https://arena.example/x',
  );
});

test('rules for browsers without scripts apply to everybody', () => {
  expect(staticStyle('a{b:c}@media (scripting:none){.tabs{display:none}}')).toMatch(/@media all\{\.tabs/);
});
