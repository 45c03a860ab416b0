import { beforeAll, describe, expect, test } from '@jest/globals';

import { isEmbed, pageNames } from '../../dashboard/addresses.ts';
import { documentFiles, generatedName, pageDocuments } from '../../scripts/codegen.ts';
import { readFile } from 'node:fs/promises';
import { type Bundle, bundlePage } from '../../src/pages/bundle.ts';
import { headOf } from '../../src/pages/heads.ts';
import { pageHtml } from '../../src/pages/html.ts';

const KB = 1024;
/** What the first page may take before it is shown, what any other, and what all pages together, compressed. */
const MOST = { now: 15 * KB, other: 19 * KB, all: 62 * KB };

describe('bundle', () => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await bundlePage();
  });

  const sizeOf = (names: Iterable<string>): number =>
    [...new Set(names)].reduce((sum, name) => sum + (bundle.files.get(name)?.bodies.br.length ?? Number.NaN), 0);

  test('the bundle is within its size', () => {
    const scripts = [...bundle.files.keys()].filter((name) => name.endsWith('.js'));
    expect(sizeOf(scripts)).toBeLessThan(MOST.all);
  });

  test.each(pageNames())('the page %s loads only its scripts', (page) => {
    expect(sizeOf(bundle.scriptsOf(page).first)).toBeLessThan(page === 'now' ? MOST.now : MOST.other);
  });

  test.each(pageNames().filter(isEmbed))('the embeddable page %s has no code for keys', (page) => {
    const textsOf = (names: readonly string[]) => names.map((name) => String(bundle.files.get(name)?.bodies.identity));
    const { first, later } = bundle.scriptsOf(page);
    expect(textsOf([...first, ...later]).filter((text) => /hourcast-key|sessionStorage/.test(text))).toEqual([]);
    expect(textsOf(bundle.scriptsOf('me').first).join('')).toContain('hourcast-key');
  });

  test('files of the bundle are named after their content', async () => {
    const again = await bundlePage();
    expect([...again.files.keys()]).toEqual([...bundle.files.keys()]);
    expect(
      [...bundle.files.keys()].filter((name) => !/^((main-)?[A-Z0-9]{5}\.js|style-[A-Z0-9]{8}\.css)$/.test(name)),
    ).toEqual([]);
  });

  test('the HTML has the bundle’s scripts, and no data can end its script element', async () => {
    const answers = { Other: { variables: {}, data: { text: '</script><script>alert(1)</script>' } } };
    const head = { title: 'a "b" <c>', description: 'd', feeds: [] };
    const html = await pageHtml({
      head,
      origin: 'http://x',
      path: '/',
      preview: '/preview/now.png',
      route: { page: 'now', id: 0, search: '' },
      answers,
      bundle,
    });
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toContain(`src="/page/${bundle.scriptsOf('now').first[0]}"`);
    expect(html).toContain('<title>a &quot;b&quot; &lt;c&gt;</title>');
    const [, data = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(data)).toEqual(answers);
  });
});

test('a page about something unknown has a head', () => {
  expect(headOf('round', { RoundPage: { round: null } }).title).toBe('Round · Hourcast');
  expect(headOf('agent', {}).title).toBe('Agent · Hourcast');
});

describe('documents of the page', () => {
  test('the generated documents are current', async () => {
    for (const file of await documentFiles()) {
      const kept = await readFile(new URL(`../../dashboard/documents/${generatedName(file)}`, import.meta.url), 'utf8');
      expect(await pageDocuments(file)).toBe(kept);
    }
  });
});
