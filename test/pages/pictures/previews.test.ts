import { expect, test } from '@jest/globals';

import { toPng } from '../../../src/pages/pictures/preview-png.ts';
import { previewSvg } from '../../../src/pages/pictures/preview-svg.ts';
import { boardOf } from './shown-board.ts';
import { errorAnswer, errorReporter } from '../../../src/http/errors.ts';

const HEAD = { title: 'alice <&> · Hourcast', description: 'word '.repeat(60).trim() };

test('a preview has the page’s title, and shortens long text', () => {
  const svg = previewSvg(HEAD, {});
  expect(svg).toContain('>alice &lt;&amp;&gt;<');
  expect(svg.match(/>word [^<]*</g)).toHaveLength(2);
  expect(svg).toMatch(/word…</);
  expect(svg).not.toContain('Not real prices');
});

test('a preview of a board has its first rows by the figures of its order', () => {
  const svg = previewSvg(HEAD, boardOf('bob', { orderBy: 'EDGE', value: 0.04219 }));
  expect(svg).toContain('>bob<');
  expect(svg).toContain('>+0.042<');
});

function square(side: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="4"/>`;
}

test('a picture is drawn once for all requests, until it is evicted', async () => {
  const png = toPng();
  const first = png(square(1));
  expect(png(square(1))).toBe(first);
  const bytes = await first;
  expect(bytes.readUInt32BE(16)).toBe(1);
  for (let side = 2; side < 202; side += 1) await png(square(side));
  expect(png(square(1))).not.toBe(first);
});

test('a failed picture is drawn again', async () => {
  const png = toPng();
  await expect(png('no picture')).rejects.toThrow();
  await expect(png('no picture')).rejects.toThrow();
});

/** How a refusal is answered. */
async function refusalOf(picture: Promise<Buffer>) {
  const error: unknown = await picture.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { status, headers, body } = errorAnswer(
    error,
    errorReporter(fail, () => {}),
  );
  return { status, headers, code: body.code };
}

function fail(error: unknown): never {
  throw error;
}

test('the first picture beyond the queue’s limit is refused with a retry time', async () => {
  const hanging = Promise.withResolvers<Buffer>();
  const png = toPng({ waiting: 20, longestMs: 60_000 }, () => hanging.promise);
  const taken = Array.from({ length: 21 }, (_, side) => png(square(side)));
  expect(await refusalOf(png(square(21)))).toEqual({
    status: 503,
    headers: expect.objectContaining({ 'Retry-After': '1' }),
    code: 'unavailable',
  });
  expect(png(square(20))).toBe(taken.at(-1));
  hanging.resolve(Buffer.of(1));
  expect(await Promise.all(taken)).toHaveLength(21);
  expect(await png(square(21))).toEqual(Buffer.of(1));
});

test('a picture that takes too long is refused, and frees its slot', async () => {
  const hanging = Promise.withResolvers<Buffer>();
  const made: string[] = [];
  const png = toPng({ waiting: 1, longestMs: 1 }, (svg) => {
    made.push(svg);
    return hanging.promise;
  });
  const [first, second] = [png(square(1)), png(square(2))];
  const headers = expect.objectContaining({ 'Retry-After': '1' });
  const late = { status: 503, headers, code: 'took_too_long' };
  expect([await refusalOf(first), await refusalOf(second)]).toEqual([late, late]);
  hanging.resolve(Buffer.of(1));
  await expect(png(square(3))).resolves.toEqual(Buffer.of(1));
  expect(made).toEqual([square(1), square(3)]);
});
