import { fileURLToPath } from 'node:url';

import { LRUCache } from 'lru-cache';

import { semaphore } from '../../in-flight.ts';
import { ANSWER_MS } from '../../limits.ts';
import { DomainError } from '../../rules/errors.ts';
import { PREVIEW_FONT } from './preview-svg.ts';

const MAX_KEPT = 200;

const FONT_FILES = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}`)),
);

type ToPng = (svg: string) => Promise<Buffer>;

/** Pictures that wait while one is rendered, and the maximum time of one with its wait, in real milliseconds. */
const BOUNDS = { waiting: 20, longestMs: ANSWER_MS };
const RETRY_AFTER = 1;

/** Off the event loop, one at a time; concurrent requests share one rendering. Throws `UNAVAILABLE` if too many wait or one is slow. */
export function toPng({ waiting, longestMs } = BOUNDS, render: ToPng = rendered): ToPng {
  const inTurn = semaphore(1);
  const kept = new LRUCache<string, Promise<Buffer>>({ max: MAX_KEPT });
  let pending = 0;
  const make = async (svg: string): Promise<Buffer> => {
    if (pending > waiting) {
      const message = `Too many previews are waiting (limit ${waiting}); try again soon.`;
      throw new DomainError('unavailable', message, { retryAfter: RETRY_AFTER });
    }
    pending += 1;
    const late = AbortSignal.timeout(longestMs);
    try {
      return await Promise.race([inTurn(() => render(svg), late), refusalAt(late)]);
    } finally {
      pending -= 1;
    }
  };
  return (svg) => {
    const found = kept.get(svg) ?? make(svg);
    kept.set(svg, found);
    found.catch(() => kept.delete(svg));
    return found;
  };
}

function refusalAt(late: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const message = 'The picture could not be made in time; try again shortly.';
    const refuse = (): void => reject(new DomainError('took_too_long', message, { retryAfter: RETRY_AFTER }));
    late.addEventListener('abort', refuse, { once: true });
  });
}

/** Loaded with the first picture: on a platform without the native library only pictures fail. */
async function rendered(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const font = { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: PREVIEW_FONT };
  return (await renderAsync(svg, { font })).asPng();
}
