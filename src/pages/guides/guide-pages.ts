import { escaped } from '../../http/html-text.ts';
import { type Bundle, FILES_PATH } from '../bundle.ts';
import { FOOTER, ICON } from '../html.ts';
import { htmlOf } from './guide-html.ts';
import { type Guide, type GuideName, GUIDES, guideText } from './guides.ts';

export type PageFrame = Pick<Bundle, 'style' | 'drawTop'>;

export function guidePage(name: GuideName, frame: PageFrame): string {
  const guide: Guide | undefined = GUIDES.find((one) => one.name === name);
  const raw = `<p class="raw"><a href="/docs/${name}.md">This page as Markdown</a></p>`;
  return documentPage({
    here: `/docs/${name}`,
    title: guide?.title ?? name,
    about: guide?.about ?? '',
    content: htmlOf(guideText(name)) + raw,
    frame,
  });
}

interface DocumentParts {
  readonly here: string;
  readonly title: string;
  readonly about: string;
  readonly content: string;
  readonly frame: PageFrame;
}

export function documentPage({ here, title, about, content, frame }: DocumentParts): string {
  const link = (href: string, text: string): string =>
    `<li><a href="${href}"${href === here ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} - Hourcast</title>
<meta name="description" content="${escaped(about)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${escaped(ICON)}">
<link rel="stylesheet" href="${FILES_PATH}${frame.style}">
<link rel="stylesheet" href="/docs/files/guide.css">
<script type="module" src="/docs/files/guide.js"></script>
</head>
<body>
<div id="page">
${frame.drawTop()}
<div class="documents">
<aside>
<nav aria-label="Documents"><ul>
${link('/docs', 'Start here')}
${link('/docs#rest-reference', 'REST reference')}
${GUIDES.map(({ name, title: text }) => link(`/docs/${name}`, text)).join('\n')}
<li><a href="/graphql">GraphQL</a></li>
</ul></nav>
<details class="contents"><summary>On this page</summary><nav aria-label="On this page"><ul>
${contentsOf(content)}
</ul></nav></details>
</aside>
<main id="main" tabindex="-1" class="guide">
${content}
</main>
</div>
</div>
${FOOTER}
</body>
</html>
`;
}

function contentsOf(html: string): string {
  return [...html.matchAll(/<(h2|h3 class="operation") id="([^"]*)"><a[^>]*>(.*?)<\/a>/g)]
    .map(([, kind, id, text = '']) =>
      kind === 'h2'
        ? `<li><a href="#${id}">${text}</a></li>`
        : `<li class="deep"><a href="#${id}">${text.replace('<code>/api', '<code>')}</a></li>`,
    )
    .join('\n');
}
