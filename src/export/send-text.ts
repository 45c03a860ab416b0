import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Response } from 'express';

import { codeOf } from '../database/failures.ts';
import { EXPORT_LIMITS } from './export-limits.ts';

interface SendingOptions {
  readonly report: (error: unknown) => void;
  /** In real milliseconds. */
  readonly longestMs?: number | undefined;
}

/** Pieces of a text, the first of which is there. */
interface Begun {
  readonly first: IteratorResult<string>;
  readonly rest: AsyncGenerator<string>;
}

/** Sends the pieces; who reads nothing for long is cut off, and who takes too long in all is to go on by `after`. */
export async function sendText(
  pieces: Begun,
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
    // The client hung up, which is its right.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') report(error);
    response.destroy();
  } finally {
    bound.clear();
    clearTimeout(latest);
    // Also for who hung up before the first byte.
    await pieces.rest.return(undefined);
  }
}

/** Hands pieces on until the time is over, and knows whether some were left. */
function timeBound(ms: number) {
  let isOver = false;
  let hasCut = false;
  const timer = setTimeout(() => (isOver = true), ms);
  return {
    async *cut({ first, rest }: Begun): AsyncGenerator<string> {
      for (let piece = first; piece.done !== true; piece = await rest.next()) {
        yield piece.value;
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
