import { fileURLToPath } from 'node:url';

import { LRUCache } from 'lru-cache';

import { semaphore } from '../../in-flight.ts';
import { ANSWER_MS } from '../../limits.ts';
import { DomainError } from '../../rules/errors.ts';
import { PREVIEW_FONT } from './preview-svg.ts';

/** Of some 30 KB each. */
const MOST_KEPT = 200;

const FONT_FILES = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}`)),
);

/** A picture as PNG, which all sites show. */
type ToPng = (svg: string) => Promise<Buffer>;

/** How many pictures wait while one is made, and how long each may take with its wait, in real milliseconds. */
const BOUNDS = { waiting: 20, longestMs: ANSWER_MS };
/** When those come back who were refused, in seconds. */
const RETRY_AFTER = 1;

/**
 * Turns pictures into PNG, one at a time and off the event loop, which one would stop for long. Those asked for last are
 * kept, and who asks for one that is being made waits for it. Refuses with `UNAVAILABLE` where too many wait, and what is
 * not made in time, whether or not somebody still asks for it.
 */
export function toPng({ waiting, longestMs } = BOUNDS, render: ToPng = rendered): ToPng {
  const inTurn = semaphore(1);
  const kept = new LRUCache<string, Promise<Buffer>>({ max: MOST_KEPT });
  let asked = 0;
  const make = async (svg: string): Promise<Buffer> => {
    if (asked > waiting) {
      const message = `As many pictures as may wait (${waiting}) are waiting to be made; try again soon.`;
      throw new DomainError('unavailable', message, { retryAfter: RETRY_AFTER });
    }
    asked += 1;
    const late = AbortSignal.timeout(longestMs);
    try {
      return await Promise.race([inTurn(() => render(svg), late), refusalAt(late)]);
    } finally {
      asked -= 1;
    }
  };
  return (svg) => {
    const found = kept.get(svg) ?? make(svg);
    kept.set(svg, found);
    found.catch(() => kept.delete(svg));
    return found;
  };
}

/** Rejects when the signal is aborted. */
function refusalAt(late: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const message = 'The picture could not be made in time; try again shortly.';
    const refuse = (): void => reject(new DomainError('took_too_long', message, { retryAfter: RETRY_AFTER }));
    late.addEventListener('abort', refuse, { once: true });
  });
}

/** The native library is loaded with the first picture: where a platform has none, nothing else of the service lacks it. */
async function rendered(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const font = { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: PREVIEW_FONT };
  return (await renderAsync(svg, { font })).asPng();
}
