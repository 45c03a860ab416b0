import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Response } from 'express';

import { EXPORT_LIMITS } from './export-limits.ts';

interface SendingOptions {
  readonly report: (error: unknown) => void;
  /** In real milliseconds. */
  readonly longestMs?: number | undefined;
}

/**
 * Runs `source` to its first item, so that what is wrong with it is thrown here. Stopping the result stops the source,
 * also before anything was taken from it.
 */
export async function startedIterator<Item>(source: AsyncGenerator<Item>): Promise<AsyncIterableIterator<Item>> {
  let first: IteratorResult<Item> | null = await source.next();
  const rest: AsyncIterableIterator<Item> = {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const item = first ?? (await source.next());
      first = null;
      return item;
    },
    async return() {
      await source.return(undefined);
      return { done: true, value: undefined };
    },
  };
  return rest;
}

/** Sends the pieces; who reads nothing for long is cut off, and who takes too long in all is to go on by `after`. */
export async function sendText(
  pieces: AsyncIterableIterator<string>,
  response: Response,
  { report, longestMs = EXPORT_LIMITS.longestMs }: SendingOptions,
): Promise<void> {
  const { idleMs } = EXPORT_LIMITS;
  response.setTimeout(idleMs, () => response.destroy());
  const bound = timeBound(longestMs);
  const latest = setTimeout(() => response.destroy(), longestMs + idleMs);
  try {
    if (response.destroyed) return;
    await pipeline(Readable.from(bound.cut(pieces)), response, { end: false });
    if (bound.hasCut()) breakOff(response);
    else response.end();
    if (!response.closed) await once(response, 'close');
  } catch (error) {
    if (!isGone(error)) report(error);
    response.destroy();
  } finally {
    bound.clear();
    clearTimeout(latest);
    // Also for who hung up before the first byte.
    await pieces.return?.();
  }
}

/** Hands pieces on until the time is over, and knows whether some were left. */
function timeBound(ms: number) {
  let isOver = false;
  let hasCut = false;
  const timer = setTimeout(() => (isOver = true), ms);
  return {
    async *cut(pieces: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const piece of pieces) {
        yield piece;
        hasCut = isOver;
        if (hasCut) return;
      }
    },
    hasCut: () => hasCut,
    clear: () => clearTimeout(timer),
  };
}

/**
 * Ends the connection after what was written, but not the answer: the client has whole lines, and its library reports that
 * more was to come, so that nobody takes a part for the whole.
 */
function breakOff({ req, socket }: Response): void {
  // HTTP/1.0 knows no other end of an answer than that of its connection.
  if (req.httpVersion === '1.0') socket?.resetAndDestroy();
  else socket?.end();
}

/** The client hung up, which is its right. */
function isGone(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
