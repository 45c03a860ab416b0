import type { Writable } from 'node:stream';

export function frameHead(id: string): Buffer {
  return Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
}

const FINAL_TEXT = 0x81;
/** Second bytes that announce a longer length field, and the maximum of each field. */
const LENGTH = { inTwoBytes: 126, inEightBytes: 127, mostInOneByte: 125, mostInTwoBytes: 0xffff } as const;

/** A frame whose end has at most this size is one buffer. Larger ends are never copied: the stream of a slow reader keeps its copy. */
const COPIED_BYTES = 8192;

/** A payload of frames that differ only in the operation's id, so that subscribers share its bytes. */
export class SharedPayload {
  /** The frame's end. */
  readonly tail: Buffer;
  /** The newest frame, with the size of its head. One write of one buffer takes less processor time than one of two. */
  private copied: { readonly frame: Buffer; readonly headBytes: number } | null = null;

  constructor(text: string) {
    this.tail = Buffer.from(`${text}}`);
  }

  /** The socket must have no extensions. */
  writeTo(stream: Writable, head: Buffer): void {
    if (stream.writableLength > 0 || this.tail.length > COPIED_BYTES) this.writeInTwo(stream, head);
    else this.writeAtOnce(stream, head);
  }

  private writeInTwo(stream: Writable, head: Buffer): void {
    stream.cork();
    stream.write(frameStart(head, head.length + this.tail.length));
    stream.write(this.tail);
    stream.uncork();
  }

  private writeAtOnce(stream: Writable, head: Buffer): void {
    const frame = this.frameWith(head);
    stream.write(frame);
    // Until the stream is empty it needs these bytes.
    if (stream.writableLength > 0) this.copied = null;
  }

  private frameWith(head: Buffer): Buffer {
    const { tail, copied } = this;
    if (copied?.headBytes === head.length) {
      head.copy(copied.frame, copied.frame.length - tail.length - head.length);
      return copied.frame;
    }
    const frame = Buffer.concat([frameStart(head, head.length + tail.length), tail]);
    this.copied = { frame, headBytes: head.length };
    return frame;
  }
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
