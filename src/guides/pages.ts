import { escaped, pagePolicy } from '../http/pages.ts';
import { type Guide, GUIDES, type GuideName, guideText } from './guides.ts';
import { htmlOf } from './markdown.ts';

/** What a document's page may do; it holds neither script nor style of its own. */
export const GUIDE_POLICY = pagePolicy();

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
    main: '<main id="reference"><noscript>The viewer needs JavaScript; <a href="/openapi.json">openapi.json</a> does not.</noscript></main>',
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
