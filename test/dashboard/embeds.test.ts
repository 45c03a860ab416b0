import { createServer, type Server } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { listen } from '../../src/http/server.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { FAULTLESS, visit } from '../support/visit.ts';

(hasBrowser() ? describe : describe.skip)('embedded pages', () => {
  let field: PlayedField;
  let browser: Browser;
  let site: Server;
  let address: string;

  beforeAll(async () => {
    field = await openField({ agents: 6 });
    await field.play(4);
    await field.predict(1);
    browser = await openBrowser();
    const shown = ['/embed/round', '/embed/agent/2', '/rounds'];
    const frames = shown.map((path) => `<iframe title="${path}" src="${field.service.url}${path}"></iframe>`);
    site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Elsewhere</title>${frames.join('')}`);
    });
    address = await listen(site, { port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await browser.close();
    site.close();
    await field.service.stop();
  });

  test.each([
    ['embed-round', '/embed/round', /\?$/],
    ['embed-agent', '/embed/agent/2', /^Agent-2/],
  ])('%s fits a frame in all looks and sizes, and is accessible', async (name, path, title) => {
    const visitor = await visit(browser, field.service.url);
    await visitor.open(path);
    await visitor.heading().filter({ hasText: title }).waitFor();
    await visitor.whole();
    await visitor.picture(name);
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    expect([...visitor.complaints, ...visitor.foreign]).toEqual([]);
    await visitor.context.close();
  });

  test('another site can embed the hour and an agent, which update, and no other page', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    const heading = (path: string) => page.frameLocator(`iframe[title="${path}"]`).getByRole('heading', { level: 1 });
    const asked = await heading('/embed/round').locator('a').getAttribute('href');
    expect(await heading('/embed/agent/2').innerText()).toMatch(/^Agent-2/);
    await field.service.nextHour();
    await heading('/embed/round').locator(`a:not([href="${asked}"])`).waitFor();
    expect(page.frames().find((frame) => frame.url().endsWith('/rounds'))).toBeUndefined();
    await page.close();
  });
});
