import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser } from 'playwright-core';

import { siteCommand } from '../../../src/site/command-line.ts';
import { hasBrowser, openBrowser } from '../../support/browser.ts';
import { type Listening, listening } from '../../support/listening.ts';
import { ownFolder } from '../../support/own-folder.ts';
import { launch } from '../../support/process.ts';
import { sharedField } from '../../support/shared.ts';
import { visit } from '../../support/visit.ts';

const HOURS = 26;
const field = sharedField({ agents: 120, seed: 5 }, (one) => one.play(HOURS));
const folder = ownFolder();
const out = (name = 'site'): string => join(folder, name);

beforeAll(async () => {
  expect(await siteCommand([out(), '--from', field.service.url], {})).toMatchObject({ code: 0 });
});

const pagesIn = async (place: string): Promise<string[]> =>
  (await readdir(place, { recursive: true })).filter((name) => name.endsWith('.html')).toSorted();
const page = async (name: string): Promise<string> =>
  (await readFile(join(out(), name), 'utf8')).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const refused = async (...words: string[]) => (await siteCommand(words, {})).stderr;
const answer = async (path: string) => (await field.service.request('GET', path)).body;

describe('a site', () => {
  test('has every agent, every decided round, and every document', async () => {
    const pages = await pagesIn(out());
    for (const agent of field.agents) expect(pages).toContain(`agents/${agent}.html`);
    for (let round = 1; round <= HOURS; round += 1) expect(pages).toContain(`rounds/${round}.html`);
    expect(pages).toEqual(
      expect.arrayContaining([
        '404.html',
        'index.html',
        'docs.html',
        'docs/agents.html',
        'forecast.html',
        'archive.html',
      ]),
    );
  });

  test('has the figures of the API on its pages, and the same answers beside them', async () => {
    const query = '{ agent(id: 7) { name totalCompetitions } }';
    const { agent } = (await field.service.request('POST', '/graphql', { body: { query } })).body.data;
    const drawn = await page('agents/7.html');
    expect(drawn).toContain(` ${agent.name} `);
    expect(drawn).toContain(` of ${agent.totalCompetitions} rounds`);
    const board = await answer('/api/leaderboard?period=weekly&limit=100');
    const shown = await page('leaderboard.html');
    for (const { name, total_points: points } of board.rankings) {
      expect(shown).toContain(` ${name} `);
      expect(shown).toContain(points.toLocaleString('en-US'));
    }
    const file: unknown = JSON.parse(await readFile(out('site/api/stats.json'), 'utf8'));
    expect(file).toEqual(await answer('/api/stats'));
    expect(await readFile(out('site/api/export/rounds.csv'), 'utf8')).toBe(
      await (await fetch(`${field.service.url}/api/export/rounds.csv`)).text(),
    );
  });

  test('replaces an earlier site whole', async () => {
    await mkdir(out('again'));
    const command = [out('again'), '--from', field.service.url, '--service', 'https://arena.example'];
    expect(await siteCommand(command, {})).toMatchObject({ code: 0 });
    await writeFile(out('again/old.html'), 'old');
    expect(await siteCommand(command, {})).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('again/index.html'),
    });
    expect(existsSync(out('again/old.html'))).toBe(false);
    expect((await readdir(folder)).toSorted()).toEqual(['again', 'site']);
    expect(await readFile(out('again/index.html'), 'utf8')).toContain('href="https://arena.example/join"');
  });

  test('refuses a folder of other files, a file, and addresses that are none, and changes nothing', async () => {
    await mkdir(out('full'));
    await writeFile(out('full/mine.txt'), 'mine');
    expect(await refused(out('full'), '--from', field.service.url)).toBe(
      `FOLDER must be new, empty or an earlier site with hourcast-site.json (got ${out('full')}).\n`,
    );
    expect(await refused(out('full/mine.txt'))).toBe(`FOLDER must be a folder (got ${out('full/mine.txt')}).\n`);
    expect(await refused(out('none'), '--from', 'ftp://x')).toBe(
      '--from must be an address such as https://arena.example (got "ftp://x").\n',
    );
    expect(await refused(out('none'), '--from', 'http://127.0.0.1:1')).toMatch(
      /^The service must answer \(http:\/\/127\.0\.0\.1:1\/\S* did not\)\.\n$/,
    );
    expect(await siteCommand([out('none'), '--form', 'x'], {})).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^Unknown option '--form'\./),
    });
    expect(await siteCommand([], {})).toMatchObject({ code: 2 });
    expect(await readdir(out('full'))).toEqual(['mine.txt']);
    expect(existsSync(out('none'))).toBe(false);
    await rm(out('full'), { recursive: true });
  });

  test('is copied from the database of the settings, beside its service', async () => {
    const settings = { DATA_DIR: out('data'), MARKET: 'simulated' };
    await using service = await launch(settings);
    expect(await siteCommand([out('own')], settings)).toMatchObject({ code: 0 });
    expect(await readFile(out('own/index.html'), 'utf8')).toContain('Copied on ');
    expect((await service.get('/api/health')).status).toBe(200);
  });
});

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.css': 'text/css' };

(hasBrowser() ? describe : describe.skip)('a site in a browser', () => {
  let browser: Browser;
  let served: Listening;
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').replace(/^\/x\/y\//, '').replace(/\?.*/, '')) || 'index.html';
    readFile(join(out(), path)).then(
      (body) => response.setHeader('Content-Type', TYPES[extname(path)] ?? 'text/plain').end(body),
      () => response.writeHead(404).end(),
    );
  });
  beforeAll(async () => {
    browser = await openBrowser();
    served = await listening(server);
  });
  afterAll(async () => {
    await browser.close();
    await served[Symbol.asyncDispose]();
  });

  const ONE_OF_MANY = /^404\.|^(rounds|agents)\/(1|27)\.html$|!w|-01\.html/;
  /** Of rounds, agents and boards those that show all that such a page may have. */
  const isOneOfItsKind = (name: string): boolean => !/\d/.test(name) || ONE_OF_MANY.test(name);

  const places = [
    [
      'one page of each kind',
      'from a disk',
      { rootOf: () => `${pathToFileURL(out()).href}/`, isOpened: isOneOfItsKind },
    ],
    ['every page', 'under /x/y/', { rootOf: () => `${served.url}/x/y/`, isOpened: () => true }],
  ] as const;

  test.each(places)('%s opens %s without broken links, errors or faults', async (_, _place, { rootOf, isOpened }) => {
    const root = rootOf();
    const visitor = await visit(browser, root);
    const missing: string[] = [];
    const broken: string[] = [];
    const faults: string[] = [];
    visitor.page.on('requestfailed', (request) => missing.push(request.url()));
    visitor.page.on('response', (response) => response.status() >= 400 && missing.push(response.url()));
    const seen = new Set(['index.html']);
    for (const name of seen) {
      await visitor.open(name);
      const found = await visitor.page.evaluate<string[]>(
        `[...document.querySelectorAll('a[href], link[href], img[src]')].map((one) => one.href ?? one.src)`,
      );
      for (const link of found.filter((one) => !/^(https?:\/\/(?!127)|data:)/.test(one))) {
        const path = link.startsWith(root) ? link.slice(root.length).replace(/[?#].*/, '') : null;
        const fragment = decodeURIComponent(/#(.*)/.exec(link)?.[1] ?? '');
        if (path === null || !(await isFile(path))) broken.push(`${name}: ${link}`);
        else if (fragment !== '' && !(await readFile(join(out(), path), 'utf8')).includes(`id="${fragment}"`))
          broken.push(`${name}: ${link}`);
        else if (path.endsWith('.html') && isOpened(path)) seen.add(path);
      }
      // One page of each kind, since axe takes a second; on a disk its own requests fail.
      if (root.startsWith('http:') && isOneOfItsKind(name))
        faults.push(...(await visitor.faults()).map((fault) => `${name}: ${fault}`));
    }
    expect({ missing, broken, faults, complaints: visitor.complaints }).toEqual({
      missing: [],
      broken: [],
      faults: [],
      complaints: [],
    });
    expect([...seen, '404.html'].toSorted()).toEqual((await pagesIn(out())).filter(isOpened));
    await visitor.context.close();
  });
});

async function isFile(path: string): Promise<boolean> {
  return (await stat(join(out(), path)).catch(() => null))?.isFile() ?? false;
}
