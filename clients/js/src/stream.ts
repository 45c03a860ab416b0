import { type ClientRequest, type Connection, failureOf, open } from './connection.ts';
import { HourcastError } from './errors.ts';

/**
 * The complete lines of a streamed answer, without an unfinished last one. Throws `HourcastError` if it breaks, or nothing comes
 * for `silenceMs`.
 */
export async function* streamedLines(
  connection: Connection,
  request: ClientRequest,
  silenceMs: number,
): AsyncGenerator<string, void, undefined> {
  const ending = new AbortController();
  const end = (): void => ending.abort(request.signal?.reason);
  if (request.signal?.aborted) end();
  request.signal?.addEventListener('abort', end, { once: true });
  let { timeoutMs } = connection;
  try {
    const response = await within(timeoutMs, ending, () => open(connection, request, ending.signal));
    if (response.body === null) return;
    timeoutMs = silenceMs;
    const reader = response.body.getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let rest = '';
    for (;;) {
      const { done, value } = await within(timeoutMs, ending, () => reader.read());
      if (done) return;
      const text = readPiece(connection, () => decoder.decode(value, { stream: true }));
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw request.signal?.aborted ? request.signal.reason : failureOf(error, { url: connection.url, timeoutMs });
  } finally {
    request.signal?.removeEventListener('abort', end);
    // A reader that stops closes the connection.
    ending.abort();
  }
}

/** Reads a piece of a stream. An unreadable piece counts as a broken stream, which is reopened. */
export function readPiece<Piece>({ url }: Connection, read: () => Piece): Piece {
  try {
    return read();
  } catch (cause) {
    throw new HourcastError(`The stream of ${url} is invalid.`, { code: 'broken_stream', cause });
  }
}

/** Aborts after `ms`. */
async function within<Result>(ms: number, ending: AbortController, act: () => Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => ending.abort(new DOMException(`No data within ${ms} ms`, 'TimeoutError')), ms);
  try {
    return await act();
  } finally {
    clearTimeout(timer);
  }
}
