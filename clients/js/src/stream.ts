import { type Asked, type Connection, failureOf, open } from './connection.ts';
import { HourcastError } from './errors.ts';

/**
 * The whole lines of an answer that comes bit by bit; what stands behind the last one is left out. Throws `HourcastError` where it
 * breaks, or where nothing comes for `silenceMs`.
 */
export async function* streamedLines(
  connection: Connection,
  asked: Asked,
  silenceMs: number,
): AsyncGenerator<string, void, undefined> {
  const ending = new AbortController();
  const end = (): void => ending.abort(asked.signal?.reason);
  if (asked.signal?.aborted) end();
  asked.signal?.addEventListener('abort', end, { once: true });
  try {
    const response = await within(connection.timeoutMs, ending, () => open(connection, asked, ending.signal));
    if (response.body === null) return;
    const reader = response.body.getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let rest = '';
    for (;;) {
      const { done, value } = await within(silenceMs, ending, () => reader.read());
      if (done) return;
      const text = whole(connection, () => decoder.decode(value, { stream: true }));
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw asked.signal?.aborted ? asked.signal.reason : failureOf(error, connection);
  } finally {
    asked.signal?.removeEventListener('abort', end);
    // Who stops reading closes the connection with it.
    ending.abort();
  }
}

/** What `read` makes of a piece of a stream. Where it can make nothing of it, the stream is broken: it is opened again. */
export function whole<Piece>({ url }: Connection, read: () => Piece): Piece {
  try {
    return read();
  } catch (cause) {
    throw new HourcastError(`What ${url} streamed is broken.`, { code: 'broken_stream', cause });
  }
}

/** Ends what takes longer than `ms`. */
async function within<Result>(ms: number, ending: AbortController, act: () => Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => ending.abort(new DOMException(`Nothing came in ${ms} ms`, 'TimeoutError')), ms);
  try {
    return await act();
  } finally {
    clearTimeout(timer);
  }
}
