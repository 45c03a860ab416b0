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

/** The pieces of a text; the first one is ready. */
interface TextPieces {
  readonly first: IteratorResult<string>;
  readonly rest: AsyncGenerator<string>;
}

/** Sends the pieces. Cuts off clients that do not read; after the timeout the client must resume by `after`. */
export async function sendText(
  pieces: TextPieces,
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
    // Clients may hang up.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') report(error);
    response.destroy();
  } finally {
    bound.clear();
    clearTimeout(latest);
    // Also if the client hung up before the first byte.
    await pieces.rest.return(undefined);
  }
}

/** Yields pieces until the timeout, and records whether any are left. */
function timeBound(ms: number) {
  let isOver = false;
  let hasCut = false;
  const timer = setTimeout(() => (isOver = true), ms);
  return {
    async *cut({ first, rest }: TextPieces): AsyncGenerator<string> {
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
 * Closes the connection after the sent lines without ending the answer: the client has whole lines, and its library
 * reports a truncated answer.
 */
function breakOff({ req, socket }: Response): void {
  // In HTTP/1.0 the end of the connection ends the answer, so only a reset shows that it is incomplete.
  if (req.httpVersion === '1.0') socket?.resetAndDestroy();
  else socket?.end();
}
