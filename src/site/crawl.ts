import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { fileOf } from './addresses.ts';
import { type SiteAddresses, staticPage, staticStyle, withAddress } from './static-page.ts';

const AT_ONCE = 8;
/** Limits last a minute, and a busy service answers again soon. */
const TRIES = 60;
const PAUSE_MS = 5 * SECOND;
const MISSING = '/404';
/** Addresses that no page links, besides the first. */
const BEGIN = ['/', '/api/forecast/record', '/api/export/archives.csv', MISSING];
/** A page without data, of a service whose limit is spent. */
const EMPTY = 'id="first-answers">{}<';

/** Writes the pages that the first page leads to, and data beside them, into `folder`. Returns the number of files. */
export async function copyService(folder: string, copiedAt: Date, addresses: SiteAddresses): Promise<number> {
  const seen = new Set(BEGIN);
  const copy = async (address: string): Promise<readonly string[]> => {
    const { type, body } = await read(addresses.from, address);
    const { content, linked } = contentOf(type, body, (html) => staticPage(html, { address, copiedAt, addresses }));
    const file = join(folder, fileOf(address));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? withAddress(content, addresses) : content);
    return linked;
  };
  for (let found = BEGIN; found.length > 0;) {
    const next: string[] = [];
    const waiting = found.values();
    const copyWaiting = async (): Promise<void> => {
      for (const address of waiting) {
        const linked = (await copy(address)).filter((one) => !seen.has(one));
        for (const one of linked) seen.add(one);
        next.push(...linked);
      }
    };
    // No other copy may write once the caller removes the folder.
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, copyWaiting));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    found = next;
  }
  return seen.size;
}

function contentOf(type: string, body: Buffer, pageOf: (html: string) => ReturnType<typeof staticPage>) {
  if (type.startsWith('image/')) return { content: body, linked: [] };
  const text = body.toString();
  if (!type.startsWith('text/html'))
    return { content: type.startsWith('text/css') ? staticStyle(text) : text, linked: [] };
  const { html, linked } = pageOf(text);
  return { content: html, linked };
}

/** Also the page that answers a missing address. Waits while limits are spent. */
async function read(from: string, address: string): Promise<{ readonly type: string; readonly body: Buffer }> {
  for (let tries = 1; ; tries += 1) {
    const headers = { accept: 'text/html, */*;q=0.5', 'accept-encoding': 'identity' };
    const { status, type, body } = await fetch(from + address, { headers })
      .then(async (response) => ({
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        body: Buffer.from(await response.arrayBuffer()),
      }))
      .catch((cause: unknown) => {
        throw new StartError(`The service must answer (${from}${address} did not).`, { cause });
      });
    const isSpent = status === 429 || status === 503 || (status === 200 && body.includes(EMPTY));
    if (!isSpent && (status === 200 || status === 404)) return { type, body };
    if (!isSpent || tries === TRIES)
      throw new StartError(
        `The service must return ${from}${address} with data (got status ${status}, ${tries} times).`,
      );
    await wait(PAUSE_MS);
  }
}
