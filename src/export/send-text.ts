import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Response } from 'express';

import { codeOf } from '../database/failures.ts';
import { EXPORT_LIMITS } from './export-limits.ts';

interface SendingOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly report: (error: unknown) => void;
  /** In real milliseconds. */
  readonly longestMs?: number | undefined;
}

/**
 * Sends the pieces of a text; an error of the first one is thrown before the answer begins. Cuts off clients that do not
 * read; after the timeout the client must resume by `after`.
 */
export async function sendText(
  pieces: AsyncGenerator<string>,
  response: Response,
  { headers, report, longestMs = EXPORT_LIMITS.longestMs }: SendingOptions,
): Promise<void> {
  const { idleMs } = EXPORT_LIMITS;
  const first = await pieces.next();
  response.set(headers);
  if (response.req.method === 'HEAD') {
    await pieces.return(undefined);
    return void response.end();
  }
  response.setTimeout(idleMs, () => response.destroy());
  const bound = wholePieces(longestMs, report);
  const latest = setTimeout(() => response.destroy(), longestMs + idleMs);
  try {
    if (response.destroyed) return;
    await pipeline(Readable.from(bound.cut(first, pieces)), response, { end: false });
    if (bound.hasCut()) breakOff(response);
    else response.end();
    if (!response.closed) await once(response, 'close');
  } catch (error) {
    // Clients may hang up.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') report(error);
    response.destroy();
  } finally {
    clearTimeout(latest);
    // Also if the client hung up before the first byte.
    await pieces.return(undefined);
  }
}

/** Yields pieces until the timeout or an error, and records whether any are left. */
function wholePieces(ms: number, report: (error: unknown) => void) {
  const over = AbortSignal.timeout(ms);
  let hasCut = false;
  return {
    async *cut(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
      let piece = first;
      while (piece.done !== true) {
        yield piece.value;
        hasCut = over.aborted;
        if (hasCut) return;
        try {
          piece = await rest.next();
        } catch (error) {
          // An error of the stream would drop half a piece.
          report(error);
          hasCut = true;
          return;
        }
      }
    },
    hasCut: () => hasCut,
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
