import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';

import { escaped } from '../../http/html-text.ts';
import { GUIDES, isGuide } from './guides.ts';
import { programsHtml } from './programs.ts';

export function htmlOf(markdown: string): string {
  let count = 0;
  const nameOf = (): string => `program-${(count += 1)}`;
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    extensions: [sideBySide(nameOf)],
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchorOf(text);
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, text, tokens }) {
        const named = GUIDES.find(({ name }) => text === `${name}.md`);
        const inner = named === undefined ? this.parser.parseInline(tokens) : escaped(named.title);
        const target = targetOf(href);
        return target === null ? inner : `<a href="${escaped(target)}">${inner}</a>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^\s*<!--.*-->\s*$/s.test(text) ? '' : escaped(text)),
      code: ({ lang = '', text }) => programsHtml([{ language: lang, text }], nameOf()),
    },
  });
  const html = marked.parse(markdown);
  if (typeof html !== 'string') throw new TypeError('Markdown is rendered at once');
  return scrolling(html);
}

const block = (language: string): string => `\`\`\`${language}\\n((?:(?!\\n\`\`\`)[^])*)\\n\`\`\`(?:\\n+|$)`;
const SIDE_BY_SIDE = new RegExp(`^(?:${block('sh')})?${block('js')}${block('py')}`);

/** Consecutive blocks of curl, JavaScript and Python become tabs. */
function sideBySide(nameOf: () => string): TokenizerAndRendererExtension {
  return {
    name: 'sideBySide',
    level: 'block',
    tokenizer(source) {
      const found = SIDE_BY_SIDE.exec(source);
      return found === null ? undefined : { type: 'sideBySide', raw: found[0], texts: found.slice(1) };
    },
    renderer({ texts }) {
      const programs = ['sh', 'js', 'py'].map((language, index) => ({ language, text: texts[index] }));
      return programsHtml(
        programs.filter(({ text }) => text !== undefined),
        nameOf(),
      );
    },
  };
}

/** Keyboards can scroll the box; its label is the table's first column. */
function scrolling(html: string): string {
  return html
    .replaceAll(/<table>(?=.*?<th>(.*?)<\/th>)/gs, (_table, head: string) => {
      const label = head.replaceAll(/<[^>]*>/g, '');
      return `<div class="scroll" tabindex="0" role="group" aria-label="Table: ${label}"><table>`;
    })
    .replaceAll('</table>', '</table></div>');
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function targetOf(href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return isGuide(name) ? `/docs/${name}${anchor}` : null;
}
