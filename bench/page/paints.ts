import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { brotliCompressSync, constants } from 'node:zlib';

import type { Browser } from 'playwright-core';

/** Browsers' Slow 4G, in bytes a second, and a quarter of the processor. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const SLOWER = { rate: 4 };
/** The quality of the service's own pages. */
const BROTLI_QUALITY = 4;

/** First and largest contentful paint, in milliseconds since navigation. */
export interface Paints {
  readonly first: number;
  readonly largest: number;
}

/** On a slow line, with a quarter of the processor and an empty cache. */
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
  // Browsers report a paint some time after it.
  const { promise: painted, resolve: notePainted } = Promise.withResolvers<void>();
  await page.exposeFunction('notePainted', notePainted);
  await page.evaluate(`const watching = setInterval(() => {
    if (globalThis.paints.largest > 0) clearInterval(watching), globalThis.notePainted();
  }, 50)`);
  await painted;
  const paints = await page.evaluate<Paints>('globalThis.paints');
  await context.close();
  return paints;
}

/**
 * Serves `url` as a static page: the HTML after its scripts ran, the same style, and the same scripts, which are fetched and not
 * run. The difference is the scripts' work.
 */
export async function staticBeside(browser: Browser, url: string) {
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
    // The page is rendered from this data already.
    whole.querySelector('script[type="application/json"]')?.remove();
    return '<!doctype html>' + whole.outerHTML;
  })()`);
  await page.close();
  files.set('/', { type: 'text/html; charset=utf-8', body: compressed(Buffer.from(html), BROTLI_QUALITY) });
  return serving(files);
}

function compressed(body: Buffer, quality: number): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** A server of constant files. */
async function serving(files: ReadonlyMap<string, { readonly type: string; readonly body: Buffer }>) {
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
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
