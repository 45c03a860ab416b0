import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { brotliCompressSync, constants } from 'node:zlib';

import type { Browser } from 'playwright-core';

/** Slow 4G as browsers' own tools have it, in bytes a second, and a quarter of the processor. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const SLOWER = { rate: 4 };
/** Of the service's own pages, made for each request. */
const BROTLI_QUALITY = 4;

/** When the first and the largest part of a page were on the screen, in milliseconds since it was asked for. */
export interface Paints {
  readonly first: number;
  readonly largest: number;
}

/** Opens `url` on a slow line with a quarter of the processor and nothing kept from before. */
export async function paintsOf(browser: Browser, url: string): Promise<Paints> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const inspector = await context.newCDPSession(page);
  await inspector.send('Network.enable');
  await inspector.send('Network.emulateNetworkConditions', SLOW_LINE);
  await inspector.send('Emulation.setCPUThrottlingRate', SLOWER);
  await page.addInitScript(`
    globalThis.paints = { first: NaN, largest: NaN };
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) globalThis.paints.largest = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') globalThis.paints.first = startTime;
    }).observe({ type: 'paint', buffered: true });`);
  await page.goto(url, { waitUntil: 'networkidle' });
  const paints = await page.evaluate<Paints>('globalThis.paints');
  await context.close();
  return paints;
}

/** A server of files whose bytes never change. */
export interface Beside {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `url` as a static page: the HTML that its scripts have made, the same style, and the same scripts, which are
 * fetched and not run. What is between both is the work of the scripts.
 */
export async function staticBeside(browser: Browser, url: string): Promise<Beside> {
  const page = await browser.newPage({ viewport: { width: 412, height: 823 } });
  const files = new Map<string, { readonly type: string; readonly body: Buffer }>();
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    const type = response.headers()['content-type'] ?? '';
    if (pathname.startsWith('/page/')) files.set(pathname, { type, body: compressed(await response.body(), 11) });
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  const html = await page.evaluate<string>(`(() => {
    const whole = document.documentElement.cloneNode(true);
    for (const one of whole.querySelectorAll('link[rel=modulepreload], script[src]')) {
      const fetched = document.createElement('link');
      fetched.rel = 'prefetch';
      fetched.href = one.getAttribute('href') ?? one.getAttribute('src');
      one.replaceWith(fetched);
    }
    return '<!doctype html>' + whole.outerHTML;
  })()`);
  await page.close();
  files.set('/', { type: 'text/html; charset=utf-8', body: compressed(Buffer.from(html), BROTLI_QUALITY) });
  return serving(files);
}

function compressed(body: Buffer, quality: number): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

async function serving(files: ReadonlyMap<string, { readonly type: string; readonly body: Buffer }>): Promise<Beside> {
  const server: Server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': file.type, 'Content-Encoding': 'br' }).end(file.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The static page must listen on a port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
