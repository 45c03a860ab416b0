import { expect, test } from '@jest/globals';

import { toPng } from '../../src/dashboard/preview-png.ts';
import { previewSvg } from '../../src/dashboard/preview-svg.ts';

const HEAD = { title: 'alice <&> · Hourcast', description: 'word '.repeat(60).trim() };

test('a preview says what the page is about, and cuts off what is too long', () => {
  const svg = previewSvg(HEAD, {});
  expect(svg).toContain('>alice &lt;&amp;&gt;<');
  expect(svg.match(/>word [^<]*</g)).toHaveLength(2);
  expect(svg).toMatch(/word…</);
  expect(svg).not.toContain('Not real prices');
});

test('a preview shows the first of a board, by the figures of its order', () => {
  const row = { name: 'bob', agent: { id: 1 }, n: 30, winRate: 50, totalPoints: 3, totalArenaPoints: 0 };
  const more = { simPnlTotal: 0, credentialTier: 'bronze', currentStreak: 0, bestStreak: 0, rank: 1 } as const;
  const sure = { value: 0.04219, interval: null, rankInterval: null, tiedWithAbove: null };
  const updatedAt = '2026-01-01T12:00:00.000Z';
  const board = { period: 'weekly', orderBy: 'EDGE', minRounds: 20, updatedAt } as const;
  const svg = previewSvg(HEAD, { Board: { leaderboard: { ...board, rankings: [{ ...row, ...more, ...sure }] } } });
  expect(svg).toContain('>bob<');
  expect(svg).toContain('>0.042<');
});

function square(side: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="4"/>`;
}

test('pictures are made once for all who ask, until others were asked for since', async () => {
  const png = toPng();
  const first = png(square(1));
  expect(png(square(1))).toBe(first);
  const bytes = await first;
  expect(bytes.readUInt32BE(16)).toBe(1);
  await Promise.all(Array.from({ length: 200 }, (_, index) => png(square(index + 2))));
  expect(png(square(1))).not.toBe(first);
});

test('a picture that cannot be made is tried again', async () => {
  const png = toPng();
  await expect(png('no picture')).rejects.toThrow();
  await expect(png('no picture')).rejects.toThrow();
});
