import { fileURLToPath } from 'node:url';

import { turns } from '../in-flight.ts';
import { PREVIEW_FONT } from './preview-svg.ts';

/** Of some 30 KB each. */
const MOST_KEPT = 200;

const FONT_FILES = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}`)),
);

/** A picture as PNG, which all sites show. */
export type ToPng = (svg: string) => Promise<Buffer>;

/**
 * Turns pictures into PNG, one at a time and off the event loop: 30 ms of processor time each. Those asked for last are
 * kept, and who asks for one that is being made waits for it.
 */
export function toPng(): ToPng {
  const inTurn = turns(1);
  const kept = new Map<string, Promise<Buffer>>();
  return (svg) => {
    const found = kept.get(svg) ?? inTurn(() => rendered(svg));
    kept.delete(svg);
    kept.set(svg, found);
    found.catch(() => kept.delete(svg));
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return found;
  };
}

/** The native library is loaded with the first picture: where a platform has none, nothing else of the service lacks it. */
async function rendered(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const font = { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: PREVIEW_FONT };
  return (await renderAsync(svg, { font })).asPng();
}
