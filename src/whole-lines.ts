/**
 * The lines of a UTF-8 text, each of which ends with a line feed; returns what follows the last one. readline also splits at
 * U+2028, which JSON may contain.
 */
export async function* wholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return rest;
}
