import { escaped } from '../http/pages.ts';
import { Marked, type Tokens } from 'marked';

import { isGuide } from './guides.ts';

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
