import { escaped } from '../http/html-text.ts';
import { isEmbed, type Route } from '../../dashboard/addresses.ts';
import { type Bundle, FILES_PATH } from './bundle.ts';
import { FIRST_ANSWERS_ID, type FirstAnswers } from '../../dashboard/document.ts';
import type { Head } from './heads.ts';
import { PREVIEW_SIZE } from './pictures/preview-svg.ts';

interface PageParts {
  readonly head: Head;
  readonly origin: string;
  readonly path: string;
  readonly preview: string;
  readonly route: Route | null;
  readonly answers: FirstAnswers;
  readonly bundle: Bundle;
}

export const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14161b"/><circle cx="16" cy="16" r="9" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="3"/><path d="M16 7a9 9 0 0 1 9 9" fill="none" stroke="#ff7a45" stroke-width="3"/></svg>',
  );

export async function pageHtml({ head, origin, path, preview, route, answers, bundle }: PageParts): Promise<string> {
  const title = escaped(head.title);
  const description = escaped(head.description);
  const page = route?.page ?? null;
  const isInFrame = page !== null && isEmbed(page);
  const { first, later } = bundle.scriptsOf(page);
  // Later parts come last: browsers fetch six files at a time.
  const preloads = [
    ...first.slice(1).map((name) => preloaded(name, '')),
    ...later.map((name) => preloaded(name, ' fetchpriority="low"')),
  ];
  const brief = page === 'now' ? await bundle.draw({ route, origin, answers, isBrief: true }) : '';
  const whole = await bundle.draw({ route, origin, answers, isBrief: false });
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
${isInFrame ? EMBED_HEAD : head.feeds.map(feedLink).join('')}<script type="module" src="${FILES_PATH}${first[0]}"></script>
${preloads.join('\n')}
</head>
<body>
<div id="page">${brief}<noscript>${behind(brief, whole)}<p class="fine">Countdowns, charts, forms and buttons need JavaScript.</p></noscript></div>
${isInFrame ? '' : FOOTER}
<script type="application/json" id="${FIRST_ANSWERS_ID}">${asData(answers)}</script>
</body>
</html>
`;
}

const SIGHT_END = '</section></div></main>';

function behind(brief: string, whole: string): string {
  const sight = brief.slice(0, brief.lastIndexOf(SIGHT_END));
  if (sight === '' || !whole.startsWith(sight)) return whole;
  return `<div class="now"><section class="hero">${whole.slice(sight.length).replace('</main>', '')}`;
}

function feedLink({ title, path }: Head['feeds'][number]): string {
  return `<link rel="alternate" type="application/atom+xml" title="${escaped(title)}" href="${escaped(path)}">\n`;
}

function preloaded(name: string, priority: string): string {
  return `<link rel="modulepreload" href="${FILES_PATH}${name}"${priority}>`;
}

/** Links leave the frame, and search engines index the page itself. */
const EMBED_HEAD = '<base target="_blank">\n<meta name="robots" content="noindex">\n';

function asData(answers: FirstAnswers): string {
  return JSON.stringify(answers).replaceAll('<', String.raw`\u003c`);
}

export const FOOTER = `<footer>
<div>
<h2>Build on it</h2>
<ul>
<li><a href="/docs/agents">Write an agent</a>, <a href="/docs">all documents</a></li>
<li><a href="/models">Models, beside one another</a></li>
<li><a href="/docs/fairness">What each figure means</a>, <a href="/docs/mcp">MCP</a></li>
<li><a href="/graphql">GraphQL</a>, all that this page shows</li>
<li><a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a></li>
</ul>
</div>
<div>
<h2>Read it as data</h2>
<ul>
<li><a href="/api/rounds/current">The current round</a>, <a href="/api/rounds/recent">recent rounds</a></li>
<li><a href="/api/leaderboard">The leaderboard</a>, <a href="/api/stats">statistics</a></li>
<li><a href="/api/data/market">Market data</a>, <a href="/api/events">all events</a></li>
</ul>
</div>
<div>
<h2>Take it along</h2>
<ul>
<li>All rounds: <a href="/api/export/rounds.csv">CSV</a>, <a href="/api/export/rounds.ndjson">NDJSON</a></li>
<li>All predictions: <a href="/api/export/predictions.csv">CSV</a>, <a href="/api/export/predictions.ndjson">NDJSON</a></li>
<li><a href="/api/schedule.ics">The hours as a calendar</a>, <a href="/feeds/rounds.atom">decided rounds</a> and <a href="/feeds/changes.atom">versions</a> as feeds</li>
</ul>
</div>
<div>
<h2>Operate it</h2>
<ul>
<li><a href="/api/health">Health</a>, <a href="/readyz">ready?</a>, <a href="/livez">alive?</a>, <a href="/metrics">metrics</a></li>
<li><a href="/admin">The operators’ desk</a>, with a token</li>
</ul>
</div>
<p>Hourcast. All times are UTC.</p>
</footer>`;
