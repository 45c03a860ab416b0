import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { Response } from 'express';

export type Encoding = 'br' | 'gzip' | 'identity';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** `quality` is brotli's, from 0 to 11. */
export async function compressed(body: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'br') return compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  return encoding === 'gzip' ? compressGzip(body) : body;
}

export async function sendCompressed(
  response: Response,
  bodyIn: (encoding: Encoding) => Buffer | Promise<Buffer>,
): Promise<void> {
  const found = response.req.acceptsEncodings('br', 'gzip');
  const encoding = found === 'br' || found === 'gzip' ? found : 'identity';
  const body = await bodyIn(encoding);
  if (encoding !== 'identity') response.set('Content-Encoding', encoding);
  response.vary('Accept-Encoding').send(body);
}

/** Text is compressed for each request, so speed matters. */
const TEXT_QUALITY = 4;

export function sendText(response: Response, text: Buffer): Promise<void> {
  return sendCompressed(response, (encoding) => compressed(text, encoding, TEXT_QUALITY));
}

export function sendHtml(response: Response, html: string): Promise<void> {
  return sendText(response.type('html'), Buffer.from(html));
}
