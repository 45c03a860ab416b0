import type { Bundle } from './bundle.ts';
import { FILES_PATH } from './bundle.ts';
import { dataOf, FIRST_ANSWERS_ID, type FirstAnswers } from './document.ts';
import { firstSight } from './first-sight.ts';
import { FOOTER } from './footer.ts';
import { isEmbed, type PageName } from './addresses.ts';
import type { Head } from './heads.ts';
import { escaped, pagePolicy } from '../http/pages.ts';

import { PREVIEW_SIZE } from './preview-svg.ts';

interface PageParts {
  readonly head: Head;
  /** Of the page's whole address, as previews of links want it. */
  readonly origin: string;
  readonly path: string;
  /** The path of the page's picture. */
  readonly preview: string;
  readonly page: PageName;
  readonly answers: FirstAnswers;
  readonly bundle: Bundle;
}

/** No text can become a script. */
const NO_MARKUP = { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" };

/** What the page may do. */
export const PAGE_POLICY = pagePolicy(NO_MARKUP);

/** The same of what other sites may show in a frame. */
export const EMBED_POLICY = pagePolicy({ ...NO_MARKUP, 'frame-ancestors': '*' });

const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14161b"/><circle cx="16" cy="16" r="9" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="3"/><path d="M16 7a9 9 0 0 1 9 9" fill="none" stroke="#ff7a45" stroke-width="3"/></svg>',
  );

/** The page's HTML: its head, its first answers as data, and where its scripts are. */
export function pageHtml({ head, origin, path, preview, page, answers, bundle }: PageParts): string {
  const title = escaped(head.title);
  const description = escaped(head.description);
  // Behind the entry, and what the first page shows later behind all else: browsers fetch six files at a time.
  const priorityOf = (name: string): string =>
    page === 'now' && !bundle.initial.includes(name) ? ' fetchpriority="low"' : '';
  const preloads = bundle
    .scriptsOf(page)
    .map((name) => `<link rel="modulepreload" href="${FILES_PATH}${name}"${priorityOf(name)}>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f6f3">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#101217">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Hourcast">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${escaped(`${origin}${path}`)}">
<meta property="og:image" content="${escaped(`${origin}${preview}`)}">
<meta property="og:image:width" content="${PREVIEW_SIZE.width}">
<meta property="og:image:height" content="${PREVIEW_SIZE.height}">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">
<link rel="icon" href="${escaped(ICON)}">
<link rel="stylesheet" href="${FILES_PATH}${bundle.style}">
${isEmbed(page) ? EMBED_HEAD : ''}<script type="module" src="${FILES_PATH}${bundle.entry}"></script>
${preloads.join('\n')}
</head>
<body>
<div id="page">${page === 'now' ? firstSight(dataOf(answers)) : ''}</div>
<noscript><p>This page needs JavaScript. All that it shows can be had without, under the addresses below.</p></noscript>
${isEmbed(page) ? '' : FOOTER}
<script type="application/json" id="${FIRST_ANSWERS_ID}">${asData(answers)}</script>
</body>
</html>
`;
}

/** In a frame links lead out of it, and search engines look for the page itself. */
const EMBED_HEAD = '<base target="_blank">\n<meta name="robots" content="noindex">\n';

/** JSON that can stand in HTML: nothing in it ends the element that holds it. */
function asData(answers: FirstAnswers): string {
  return JSON.stringify(answers).replaceAll('<', String.raw`\u003c`);
}
