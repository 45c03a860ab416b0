import { describe, expect, test } from '@jest/globals';

import { GUIDES, withOrigin } from '../../../src/pages/guides/guides.ts';
import { llmsFullText, llmsText, operationsOf } from '../../../src/pages/guides/llms.ts';
import { htmlOf } from '../../../src/pages/guides/guide-html.ts';
import { guidePage } from '../../../src/pages/guides/guide-pages.ts';
import { referencePage } from '../../../src/pages/guides/reference-page.ts';
import { reference } from '../../support/reference.ts';

const { document } = reference();
const frame = { style: 'style.css', drawTop: () => '<header></header>' };
const pages = new Map([
  ['/docs', referencePage(document, frame)],
  ...GUIDES.map(({ name }) => [`/docs/${name}`, guidePage(name, frame)] as const),
]);
const all = (html: string, pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, found = '']) => found);

/** What a service has beside the pages that are made here. */
const ELSEWHERE =
  /^(\/(graphql.*|llms(-full)?\.txt|openapi\.json|api\/.*|docs\/[a-z]+\.md|page\/.*|feeds\/.*|models|livez|readyz|metrics|admin.*)?|https:\/\/[^/]+\/.*)$/;

describe.each([...pages])('page %s', (path, html) => {
  test('links lead to existing pages and headings', () => {
    const broken = all(html, / href="([^"]*)"/g)
      .filter((href) => !/^(\/docs\/files\/|data:)/.test(href) && !ELSEWHERE.test(href))
      .filter((href) => {
        const [place = '', anchor] = href.split('#');
        const target = place === '' ? html : pages.get(place);
        return target === undefined || (anchor !== undefined && !target.includes(` id="${anchor}"`));
      });
    expect(broken).toEqual([]);
  });

  test('every column has a head, and every heading is unique', () => {
    expect(html).not.toMatch(/<th[^>]*><\/th>/);
    const ids = all(html, / id="([^"]*)"/g);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  });

  test('the contents list every chapter', () => {
    const chapters = all(html, /<h2 id="([^"]*)"/g);
    const [contents = ''] = /<details class="contents">.*?<\/details>/s.exec(html) ?? [];
    expect(all(contents, /<a href="#([^"]*)"/g).filter((id) => chapters.includes(id))).toEqual(chapters);
  });

  test('the page has the service’s address as reached', () => {
    expect(withOrigin(html, 'https://arena.example')).not.toMatch(/:3000\b/);
  });

  test('the page has no inline script or style, and no comment', () => {
    expect(html).not.toMatch(/<script>|<style| style=| on\w+=|<!--/);
  });

  test('the navigation marks the current page', () => {
    expect(all(html, /<a href="([^"]*)" aria-current="page">/g)).toEqual([path]);
  });
});

test('the reference has every parameter of an operation, optional ones too', () => {
  const html = pages.get('/docs') ?? '';
  const missing = operationsOf(document).flatMap(({ operation }) => {
    const [, section = ''] = html.split(`id="${operation.operationId}"`);
    const [own = ''] = section.split('</section>');
    const body: { properties?: object } = Object(operation.requestBody?.content['application/json']?.schema);
    const names = [...(operation.parameters ?? []).map(({ name }) => name), ...Object.keys(body.properties ?? {})];
    return names.filter((name) => !own.includes(`<code>${name}</code> (`));
  });
  expect(missing).toEqual([]);
});

describe('Markdown', () => {
  test('code in three languages becomes one coloured program with tabs', () => {
    const html = htmlOf('```sh\ncurl a\n```\n\n```js\nawait a();\n```\n\n```py\na()\n```\n');
    expect(all(html, /<figure class="(program)">/g)).toHaveLength(1);
    expect(all(html, /<span>([^<]*)<\/span><\/label>/g)).toEqual(['curl', 'JavaScript', 'Python']);
    expect(all(html, /name="([^"]*)"/g)).toEqual(['program-1', 'program-1', 'program-1']);
    expect(html).toContain('<span class="hljs-keyword">await</span>');
    expect(
      all(htmlOf('```sh\na\n```\nb\n```js\nc\n```\n\n```py\nd\n```\n'), /<figure class="(program)">/g),
    ).toHaveLength(2);
  });

  test('a query links to the IDE, which opens with it', () => {
    const [, query = ''] =
      /<a href="\/graphql#query=([^"]*)">/.exec(htmlOf('```graphql\n{ stats { totalAgents } }\n```\n')) ?? [];
    expect(decodeURIComponent(query)).toBe('{ stats { totalAgents } }');
  });

  test('tables and code are scrollable by keyboard', () => {
    expect(htmlOf('| a |\n|---|\n| b |\n\n```\nc\n```\n').match(/tabindex="0"/g)).toHaveLength(2);
  });

  test('placeholders get the service’s address, also for WebSockets and without scheme', () => {
    const here = 'http://localhost:3000/a ws://127.0.0.1:3000/b localhost:3000/c localhost:30001';
    expect(withOrigin(here, 'https://x.org')).toBe('https://x.org/a wss://x.org/b https://x.org/c localhost:30001');
  });

  test('headings have the ids of GitHub', () => {
    expect(htmlOf('## Who is `lucky`? A & B')).toBe(
      '<h2 id="who-is-lucky-a--b"><a href="#who-is-lucky-a--b">Who is <code>lucky</code>? A &amp; B</a></h2>\n',
    );
  });

  test('links to guides lead to their pages, and links elsewhere are removed', () => {
    expect(htmlOf('[a](market.md#sources) [b](../schema.graphql) [c](#here)')).toBe(
      '<p><a href="/docs/market#sources">a</a> b <a href="#here">c</a></p>\n',
    );
  });

  test('HTML in Markdown is shown as text', () => {
    expect(htmlOf('a <script>alert(1)</script> b')).toBe('<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>\n');
  });
});

describe('llms.txt', () => {
  const text = llmsText(document);

  test('llms.txt is below 20 kB, and llms-full.txt below 160 kB', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    expect(Buffer.byteLength(llmsFullText(document))).toBeLessThan(160_000);
  });

  test('llms.txt has one heading, one quotation and lists of links, the optional ones last', () => {
    expect(text.match(/^# .*$/gm)).toEqual(['# Hourcast']);
    const [, ...sections] = text.split(/^## /m);
    const wrong = sections
      .flatMap((section) => section.split('\n').slice(1))
      .filter((line) => !/^(- \[.+\]\(.+\).*)?$/.test(line));
    expect(wrong).toEqual([]);
    expect(sections.map((section) => section.split('\n')[0]).at(-1)).toBe('Optional');
  });

  test('llms.txt has every operation of the reference and every guide', () => {
    for (const { method, path, operation } of operationsOf(document)) {
      expect(text).toContain(`[${method} ${path}]`);
      expect(text).toContain(operation.summary);
    }
    for (const { name } of GUIDES) expect(text).toContain(`(/docs/${name}.md)`);
  });
});

test('llms-full.txt has the guides and every field of the reference', () => {
  const text = llmsFullText(document);
  for (const { method, path } of operationsOf(document)) expect(text).toContain(`\n## ${method} ${path}\n`);
  expect(text).toContain('  - `credential_tier` (Tier): The tier that its record gives at present.');
  expect(text).toContain('# Writing an agent');
  expect(text).not.toContain('<!--');
});
