import type { Duplex, Writable } from 'node:stream';

export function frameHead(id: string): Buffer {
  return Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
}

/** The end of a frame, the same for all subscribers. */
export function sharedTail(text: string): Buffer {
  return Buffer.from(`${text}}`);
}

const FINAL_TEXT = 0x81;
/** Second bytes that announce a longer length field, and the maximum of each field. */
const LENGTH = { inTwoBytes: 126, inEightBytes: 127, mostInOneByte: 125, mostInTwoBytes: 0xffff } as const;

/** The socket must have no extensions. `tail` is not copied: a copy for each subscriber would be garbage. */
export function writeTextFrame(stream: Duplex, head: Buffer, tail: Buffer): void {
  stream.cork();
  stream.write(frameStart(head, head.length + tail.length));
  stream.write(tail);
  stream.uncork();
}

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
