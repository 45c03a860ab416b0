import { Marked, type Tokens } from 'marked';

import { escaped } from '../../http/html-text.ts';
import { type Guide, type GuideName, GUIDES, guideText, isGuide } from './guides.ts';

/** A guide as a page. */
export function guidePage(name: GuideName): string {
  const guide: Guide | undefined = GUIDES.find((one) => one.name === name);
  const content = htmlOf(guideText(name));
  const raw = `<p class="raw"><a href="/docs/${name}.md">This page as Markdown</a></p>`;
  return page({ here: name, title: guide?.title ?? name, main: `<main class="guide">${content}${raw}</main>` });
}

/** The page of the REST reference: the viewer fills it. */
export function referencePage(): string {
  return page({
    here: 'reference',
    title: 'REST reference',
    styles: ['swagger-ui.css'],
    scripts: ['swagger-ui-bundle.js', 'viewer.js'],
    main: '<div id="reference"><noscript>The viewer needs JavaScript; <a href="/openapi.json">openapi.json</a> does not.</noscript></div>',
  });
}

interface PageParts {
  readonly here: string;
  readonly title: string;
  readonly main: string;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

function page({ here, title, main, styles = [], scripts = [] }: PageParts): string {
  const link = (name: string, href: string, text: string): string =>
    `<a href="${href}"${name === here ? ' aria-current="page"' : ''}>${escaped(text)}</a>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escaped(title)} - Hourcast</title>
${[...styles, 'guide.css'].map((file) => `<link rel="stylesheet" href="/docs/files/${file}">`).join('\n')}
<header>
<a class="name" href="/">Hourcast</a>
<nav aria-label="Documents">
${link('reference', '/docs', 'REST reference')}
${GUIDES.map(({ name, title: text }) => link(name, `/docs/${name}`, text)).join('\n')}
<a href="/graphql">GraphQL</a>
<a href="/llms.txt">llms.txt</a>
</nav>
</header>
${main}
${scripts.map((file) => `<script src="/docs/files/${file}"></script>`).join('\n')}
</html>
`;
}

/** A document of ours as HTML: headings with ids, tables that scroll, and links to what the service serves alone. */
export function htmlOf(markdown: string): string {
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchorOf(text);
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === null ? inner : `<a href="${escaped(target)}">${inner}</a>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^\s*<!--.*-->\s*$/s.test(text) ? '' : escaped(text)),
    },
  });
  const html = marked.parse(markdown);
  if (typeof html !== 'string') throw new TypeError('Markdown is rendered at once');
  return html.replaceAll('<table>', '<div class="wide" tabindex="0"><table>').replaceAll('</table>', '</table></div>');
}

/** The anchor of a heading, as GitHub writes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Where a link of a document leads on a service; null where the service has no such page. */
function targetOf(href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return isGuide(name) ? `/docs/${name}${anchor}` : null;
}
