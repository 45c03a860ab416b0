import type { Duplex, Writable } from 'node:stream';

/** A result as the `next` messages of all its subscribers end: the same bytes for each of them. */
export interface SharedPayload {
  readonly tail: Buffer;
}

/** How the `next` messages of the operation `id` begin. */
export function frameHead(id: string): Buffer {
  return Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
}

/** `text` is the result as JSON. */
export function sharedPayload(text: string): SharedPayload {
  return { tail: Buffer.from(`${text}}`) };
}

/** RFC 6455, 5.2: a whole message in one frame. */
const FINAL_TEXT = 0x81;
/** What the second byte says of where the length stands, and up to which length. */
const LENGTH = { inTwoBytes: 126, inEightBytes: 127, mostInOneByte: 125, mostInTwoBytes: 0xffff } as const;

/**
 * Writes the message `head` + `tail` as one text frame, to a socket without extensions whose frames ws writes whole and
 * at once. `tail` is not copied: a copy for each subscriber would be garbage that delays the slowest of them.
 */
export function writeTextFrame(stream: Duplex, head: Buffer, tail: Buffer): void {
  stream.cork();
  stream.write(frameStart(head, head.length + tail.length));
  stream.write(tail);
  stream.uncork();
}

/** The frame's own head, and the message's. */
function frameStart(head: Buffer, length: number): Buffer {
  const { mostInOneByte, mostInTwoBytes, inTwoBytes, inEightBytes } = LENGTH;
  const size = length <= mostInOneByte ? 2 : length <= mostInTwoBytes ? 4 : 10;
  const start = Buffer.allocUnsafe(size + head.length);
  start[0] = FINAL_TEXT;
  if (size === 2) start[1] = length;
  else if (size === 4) {
    start[1] = inTwoBytes;
    start.writeUInt16BE(length, 2);
  } else {
    start[1] = inEightBytes;
    start.writeBigUInt64BE(BigInt(length), 2);
  }
  head.copy(start, size);
  return start;
}

/** Resolves when a stream takes more, or is gone. */
export async function drained(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
    if (stream.destroyed) done();
  });
}
