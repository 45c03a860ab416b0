import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { Response } from 'express';

export type Encoding = 'br' | 'gzip' | 'identity';

/** In bytes; a smaller body would hardly be sent faster. */
export const LEAST_COMPRESSED = 1024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** Brotli's from 0 to 11, gzip's from 0 to 9. */
type Levels = Readonly<Record<Exclude<Encoding, 'identity'>, number>>;

/** The levels by what is compressed. For an answer to one caller, better compression takes as long as the rest of it. */
export const LEVELS = {
  once: { br: 1, gzip: 1 },
  kept: { br: 4, gzip: 6 },
  ahead: { br: 11, gzip: 6 },
} as const satisfies Readonly<Record<string, Levels>>;

export async function compressed(body: Buffer, encoding: Encoding, { br, gzip: level }: Levels): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: br, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  if (encoding === 'br') return compressBrotli(body, { params });
  return encoding === 'gzip' ? compressGzip(body, { level }) : body;
}

/** Compresses a body at most once for each encoding. */
export function compressedOnce(bodyOf: () => Buffer, made: (bytes: number) => void = () => {}) {
  const bodies: Partial<Record<Encoding, Promise<Buffer>>> = {};
  const make = async (encoding: Encoding): Promise<Buffer> => {
    const body = await compressed(bodyOf(), encoding, LEVELS.kept);
    made(body.length);
    return body;
  };
  return (encoding: Encoding): Promise<Buffer> =>
    (bodies[encoding] ??= make(encoding).catch((error: unknown) => {
      delete bodies[encoding];
      throw error;
    }));
}

const REFUSED = /(?:br|gzip)\s*;\s*q=0(?:\.0*)?(?![.\d])/g;

/** Brotli is preferred; `identity` without the header. */
export function encodingFor({ headers }: Pick<IncomingMessage, 'headers'>): Encoding {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  const named = accepted.includes('q=0') ? accepted.replaceAll(REFUSED, '') : accepted;
  return /\bbr\b/.test(named) ? 'br' : /\bgzip\b/.test(named) ? 'gzip' : 'identity';
}

export async function sendCompressed(
  response: Response,
  bodyIn: (encoding: Encoding) => Buffer | Promise<Buffer>,
): Promise<void> {
  const encoding = encodingFor(response.req);
  const body = await bodyIn(encoding);
  if (encoding !== 'identity') response.set('Content-Encoding', encoding);
  response.vary('Accept-Encoding').send(body);
}

type CachedBody = Readonly<{ body: string | Buffer; compressedIn?: ReturnType<typeof compressedOnce> | undefined }>;

/** Sends an answer of the cache with the headers of `response`; 304 if its caller has the ETag. Text is Latin-1. */
export async function sendCached(response: Response, { body, compressedIn }: CachedBody): Promise<void> {
  if (response.vary('Accept-Encoding').req.fresh) response.status(304).end();
  else
    await (compressedIn === undefined
      ? sendText(response, bytesOf(body, 'latin1'))
      : sendCompressed(response, compressedIn));
}

export function sendText(response: Response, text: Buffer): Promise<void> {
  return sendCompressed(response, (encoding) => compressed(text, encoding, LEVELS.kept));
}

export function sendHtml(response: Response, html: string): Promise<void> {
  return sendText(response.type('html'), Buffer.from(html));
}

export function bytesOf(body: string | Buffer, characters?: 'utf8' | 'latin1'): Buffer {
  return typeof body === 'string' ? Buffer.from(body, characters) : body;
}
