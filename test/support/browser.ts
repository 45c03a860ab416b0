import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

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

/** Whether suites in a browser can run here. Throws where they must. */
export function hasBrowser(): boolean {
  const installed = existsSync(CHROMIUM);
  if (!installed && process.env['CI'] === 'true')
    throw new Error(`Pages are tested in ${CHROMIUM}, which is not there`);
  return installed;
}

/** An installed Chromium that does nothing by itself. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
}
