import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

import { TIMEOUT_MS } from './poll.ts';

const CHROMIUM = '/usr/bin/chromium';
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** False without a browser; throws if one is required. */
export function hasBrowser(): boolean {
  const installed = existsSync(CHROMIUM);
  if (!installed && process.env['CI'] === 'true')
    throw new Error(`Pages are tested in ${CHROMIUM}, which is not there`);
  return installed;
}

/** Chromium without background activity. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT_MS));
  return browser;
}
