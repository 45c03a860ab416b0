import { fileURLToPath } from 'node:url';

import { expect, test } from '@jest/globals';
import { Resvg } from '@resvg/resvg-js';

import { badgeSvg } from '../../../src/pages/pictures/badge.ts';
import { PREVIEW_FONT, PREVIEW_SIZE, previewSvg } from '../../../src/pages/pictures/preview-svg.ts';
import { boardOf } from './shown-board.ts';

const FONT_FILES = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}`)),
);

/** 50 of each letter that a name may have. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
const NAMES = Array.from(LETTERS, (letter) => letter.repeat(50));

/** What a picture covers, with what would stand beyond its edges: no more than its own size where nothing does. */
function covered(svg: string): { readonly left: number; readonly right: number } {
  const font = { loadSystemFonts: false, fontFiles: FONT_FILES, defaultFontFamily: PREVIEW_FONT };
  const box = new Resvg(svg, { font }).getBBox();
  return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0) };
}

test.each([
  [
    'an agent',
    (name: string) => previewSvg({ title: `${name} · Hourcast`, description: `${name} has 12 points.` }, {}),
  ],
  [
    'a board',
    (name: string) =>
      previewSvg(
        { title: 'Leaderboard · Hourcast', description: name },
        boardOf(name, { orderBy: 'PNL', value: -123_456.78 }),
      ),
  ],
])('a preview of %s stays within the picture with any name', (_, preview) => {
  for (const name of NAMES) expect(covered(preview(name))).toEqual({ left: 0, right: PREVIEW_SIZE.width });
});

test('a preview has a name of 50 common letters completely', () => {
  const name = 'momentum_trader_gpt4o_with_news_and_order_books_v1';
  const svg = previewSvg({ title: `${name} · Hourcast`, description: 'Its record.' }, {});
  const shown = [...svg.matchAll(/<text[^>]* font-size="58"[^>]*>([^<]*)</g)].map(([, line]) => line).join('');
  expect(shown).toBe(name);
});

const AGENT = {
  id: 1,
  credentialTier: 'bronze',
  totalPoints: -12_345,
  totalCompetitions: 3,
  winRate: 50,
  currentStreak: 2,
  weekly: { rank: null },
  pointsHistory: [],
} as const;

test('a badge is as wide as its text, with any name', () => {
  for (const name of NAMES) {
    const alltime = { rank: 1234, edge: { mean: -0.123 } };
    const svg = badgeSvg({ ...AGENT, name, alltime });
    const width = Number(/ width="(\d+)"/.exec(svg)?.[1]);
    const { left, right } = covered(svg);
    expect([name, left >= 0, right <= width]).toEqual([name, true, true]);
  }
});
