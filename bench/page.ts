import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { pageNames } from '../dashboard/addresses.ts';
import { bundlePage } from '../src/pages/bundle.ts';
import { openBrowser } from '../test/support/browser.ts';
import { startTestCluster } from '../test/support/cluster.ts';
import { type Held, held } from '../test/support/held.ts';
import { openField, type PlayedField } from '../test/support/played-field.ts';
import { visit } from '../test/support/visit.ts';
import { answersOver, type Frames, framesDuring } from './page/frames.ts';
import { type Paints, paintsOf, staticBeside } from './page/paints.ts';
import { machine, markdown, ratio } from './results.ts';
import { median } from './table.ts';

/*
 * npm run measure:page                    everything, some minutes
 * npm run measure:page -- paints frames   parts: sizes, paints, pages, frames, tab
 * Measures the page's weight, its paints on a slow line beside a static page, layout shifts and axe's findings on each page.
 * It also measures frames at 1,000 entries a minute, and the memory of a tab after a day.
 */
const AGENTS = 1_000;
const HOURS = 22;
const TURNS = 7;
const MINUTE_MS = 60_000;
const KB = 1024;
const MB = KB * KB;

const PAGES = [
  '/',
  '/rounds',
  `/rounds/${HOURS}`,
  '/agents/2?against=3',
  '/leaderboard?period=alltime',
  '/leaderboard/2026-01-01',
  '/forecast',
  '/questions',
  '/about',
  '/join',
];

const print = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n\n`);
const kilobytes = (bytes: number): string => (bytes / KB).toFixed(1);

const PARTS: Readonly<Record<string, readonly [title: string, measure: (field: PlayedField) => Promise<string>]>> = {
  sizes: ['Kilobytes over the wire, brotli', sizes],
  paints: [`Paints of / on slow 4G with a quarter of the processor, ${TURNS} turns each`, paints],
  pages: ['Each page', pages],
  frames: [`Frames while ${AGENTS} entries come in a minute, beside a page that nothing happens on`, frames],
  tab: ['A tab that is left open', openTab],
};

await using _cluster = await startTestCluster();
const browser = await openBrowser();
try {
  const field = await openField({ agents: AGENTS, minutes: [2, 11, 24, 38, 52] });
  for (let hour = 0; hour < HOURS; hour += 1) {
    await field.predict(0.02);
    await field.service.nextHour();
  }
  print(`Measured ${machine(join(import.meta.dirname, '..'))}`);
  const words = process.argv.slice(2);
  for (const [name, [title, measure]] of Object.entries(PARTS)) {
    if (words.length === 0 || words.includes(name)) print(title, await measure(field));
  }
  await field.service.stop();
} finally {
  await browser.close();
}

async function sizes(): Promise<string> {
  const bundle = await bundlePage();
  const of = (names: Iterable<string>): number =>
    [...new Set(names)].reduce((sum, name) => sum + (bundle.files.get(name)?.bodies.br.length ?? Number.NaN), 0);
  const scripts = [...bundle.files.keys()].filter((name) => name.endsWith('.js'));
  return markdown([
    ['what', 'kB', 'at most'],
    ...pageNames().map((page) => [
      `JavaScript without which \`${page}\` is not shown`,
      kilobytes(of(bundle.scriptsOf(page).first)),
      page === 'now' ? '15' : '19',
    ]),
    ['all JavaScript of all pages', kilobytes(of(scripts)), '62'],
    ['style', kilobytes(of([bundle.style])), ''],
  ]);
}

async function paints({ service }: PlayedField): Promise<string> {
  const beside = await staticBeside(browser, service.url);
  const turns: { here: Paints; there: Paints }[] = [];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const order = turn % 2 === 0 ? [service.url, beside.url] : [beside.url, service.url];
    const seen = new Map<string, Paints>();
    for (const url of order) seen.set(url, await paintsOf(browser, url));
    const [here, there] = [seen.get(service.url), seen.get(beside.url)];
    // The first turn warms up.
    if (turn > 0 && here && there) turns.push({ here, there });
  }
  await beside.close();
  const line = (name: string, of: (paints: Paints) => number): string[] => {
    const ratios = turns.map(({ here, there }) => of(here) / of(there));
    const middle = (side: 'here' | 'there'): string => median(turns.map((turn) => of(turn[side]))).toFixed(0);
    return [
      name,
      middle('here'),
      middle('there'),
      ...[Math.min(...ratios), median(ratios), Math.max(...ratios)].map(ratio),
    ];
  };
  return markdown([
    ['paint', 'ms here', 'ms static', 'min', 'median', 'max'],
    line('first', ({ first }) => first),
    line('largest', ({ largest }) => largest),
  ]);
}

async function pages({ service }: PlayedField): Promise<string> {
  const rows: string[][] = [];
  for (const path of PAGES) {
    const visitor = await visit(browser, service.url);
    let requests = 0;
    visitor.page.on('request', (request) => (requests += request.url().startsWith('http') ? 1 : 0));
    await visitor.open(path);
    await visitor.link().filter({ hasText: 'Live' }).waitFor();
    await visitor.whole();
    const shift = await visitor.shift();
    const { byDay, byNight } = await visitor.faultsInAllLooks();
    rows.push([
      `\`${path}\``,
      shift.toFixed(3),
      `${byDay.length} + ${byNight.length}`,
      String(requests),
      String(visitor.complaints.length + visitor.foreign.length),
    ]);
    await visitor.context.close();
  }
  return markdown([['page', 'shift', 'axe: day + night', 'requests', 'complaints, foreign'], ...rows]);
}

async function frames(field: PlayedField): Promise<string> {
  await field.service.nextHour();
  const visitor = await visit(browser, field.service.url);
  const { page, context } = visitor;
  await visitor.open('/');
  await visitor.link().filter({ hasText: 'Live' }).waitFor();
  const idle = await framesDuring(page, () => delay(MINUTE_MS));
  const busy = await framesDuring(page, () => answersOver(field, MINUTE_MS));
  await page
    .locator('.crowd h2 small')
    .filter({ hasText: AGENTS.toLocaleString('en') })
    .waitFor();
  await context.close();
  return markdown([
    ['a minute', 'frames a second', 'longer than 50 ms', 'longest ms'],
    framesRow('idle', idle),
    framesRow(`${AGENTS} entries`, busy),
  ]);
}

function framesRow(name: string, { frames: count, seconds, long, longestMs }: Frames): string[] {
  return [name, (count / seconds).toFixed(1), String(long), longestMs.toFixed(0)];
}

async function openTab(field: PlayedField): Promise<string> {
  const visitor = await visit(browser, field.service.url);
  const { page, context } = visitor;
  let sockets = 0;
  page.on('websocket', () => (sockets += 1));
  const inspector = await context.newCDPSession(page);
  await inspector.send('Performance.enable');
  await visitor.open('/');
  await visitor.link().filter({ hasText: 'Live' }).waitFor();
  const seen: (Held & { readonly hour: number })[] = [];
  for (let hour = 1; hour <= 27; hour += 1) {
    const round = await page.locator('.eyebrow a').innerText();
    await field.predict(0.05);
    await field.service.nextHour();
    await page.locator('.eyebrow a').filter({ hasNotText: round }).waitFor();
    if (hour % 6 === 3) seen.push({ hour, ...(await held(inspector)) });
  }
  await context.close();
  return markdown([
    ['after hours', 'MB after collection', 'nodes', 'listeners', 'sockets'],
    ...seen.map(({ hour, bytes, nodes, listeners }) => [
      String(hour),
      (bytes / MB).toFixed(2),
      String(nodes),
      String(listeners),
      String(sockets),
    ]),
  ]);
}
