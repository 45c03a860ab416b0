import { describe, expect, test } from '@jest/globals';

import { GUIDES } from '../../../src/pages/guides/guides.ts';
import { llmsFullText, llmsText, operationsOf } from '../../../src/pages/guides/llms.ts';
import { guidePage, htmlOf, referencePage } from '../../../src/pages/guides/guide-pages.ts';
import { reference } from '../../support/reference.ts';

const { document } = reference();
const pages = new Map([
  ['/docs', referencePage()],
  ...GUIDES.map(({ name }) => [`/docs/${name}`, guidePage(name)] as const),
]);
const all = (html: string, pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, found = '']) => found);

/** What a service has beside the pages that are made here. */
const ELSEWHERE = /^(\/|\/graphql|\/llms\.txt|\/openapi\.json|\/docs\/[a-z]+\.md|https:\/\/[^/]+\/.*)$/;

describe.each([...pages])('the page %s', (path, html) => {
  test('links to pages, and headings in them, that are there', () => {
    const broken = all(html, / href="([^"]*)"/g)
      .filter((href) => !/^(\/docs\/files\/|data:)/.test(href) && !ELSEWHERE.test(href))
      .filter((href) => {
        const [place = '', anchor] = href.split('#');
        const target = place === '' ? html : pages.get(place);
        return target === undefined || (anchor !== undefined && !target.includes(` id="${anchor}"`));
      });
    expect(broken).toEqual([]);
  });

  test('holds neither script nor style of its own, nor a comment', () => {
    expect(html).not.toMatch(/<script>|<style| style=| on\w+=|<!--/);
  });

  test('says in the navigation where it is', () => {
    expect(all(html, /<a href="([^"]*)" aria-current="page">/g)).toEqual([path]);
  });
});

describe('Markdown', () => {
  test('gives headings ids as GitHub does', () => {
    expect(htmlOf('## Who is `lucky`? A & B')).toBe(
      '<h2 id="who-is-lucky-a--b"><a href="#who-is-lucky-a--b">Who is <code>lucky</code>? A &amp; B</a></h2>\n',
    );
  });

  test('links guides to their pages, and leaves out what no service serves', () => {
    expect(htmlOf('[a](market.md#sources) [b](../schema.graphql) [c](#here)')).toBe(
      '<p><a href="/docs/market#sources">a</a> b <a href="#here">c</a></p>\n',
    );
  });

  test('shows HTML as text', () => {
    expect(htmlOf('a <script>alert(1)</script> b')).toBe('<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>\n');
  });
});

describe('llms.txt', () => {
  const text = llmsText(document);

  test('is below 20 kB, and llms-full.txt below 130 kB', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    expect(Buffer.byteLength(llmsFullText(document))).toBeLessThan(130_000);
  });

  test('has one heading, one quotation, then sections that are lists of links, the optional one last', () => {
    expect(text.match(/^# .*$/gm)).toEqual(['# Hourcast']);
    const [, ...sections] = text.split(/^## /m);
    const wrong = sections
      .flatMap((section) => section.split('\n').slice(1))
      .filter((line) => !/^(- \[.+\]\(.+\).*)?$/.test(line));
    expect(wrong).toEqual([]);
    expect(sections.map((section) => section.split('\n')[0]).at(-1)).toBe('Optional');
  });

  test('names every operation of the reference and every guide', () => {
    for (const { method, path, operation } of operationsOf(document)) {
      expect(text).toContain(`[${method} ${path}]`);
      expect(text).toContain(operation.summary);
    }
    for (const { name } of GUIDES) expect(text).toContain(`(/docs/${name}.md)`);
  });
});

test('llms-full.txt holds the guides and every field of the reference', () => {
  const text = llmsFullText(document);
  for (const { method, path } of operationsOf(document)) expect(text).toContain(`\n## ${method} ${path}\n`);
  expect(text).toContain('  - `credential_tier` (Tier): The tier that its record gives at present.');
  expect(text).toContain('# Writing an agent');
  expect(text).not.toContain('<!--');
});
