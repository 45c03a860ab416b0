import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Checks are counted instead of time, so a pause of the process costs callers nothing. A reset frees the system's buffers. */
export function cutUnread(
  server: Server,
  { answerMs, checkMs }: { readonly answerMs: number; readonly checkMs: number },
): void {
  const sockets = new Set<Socket>();
  const seen = new WeakMap<Socket, { readonly taken: number; readonly idleChecks: number }>();
  const most = Math.ceil(answerMs / checkMs);
  const check = (socket: Socket): void => {
    if (socket.writableLength === 0) {
      seen.delete(socket);
      return;
    }
    const taken = socket.bytesWritten - socket.writableLength;
    const before = seen.get(socket);
    const idleChecks = before?.taken === taken ? before.idleChecks + 1 : 0;
    if (idleChecks < most) seen.set(socket, { taken, idleChecks });
    else socket.resetAndDestroy();
  };
  function forget(this: Socket): void {
    sockets.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // `once` and a closure take more memory for each connection.
    socket.on('close', forget);
  });
  server.on('listening', () => {
    const timer = setInterval(() => {
      for (const socket of sockets) check(socket);
    }, checkMs).unref();
    server.once('close', () => clearInterval(timer));
  });
}

export interface AnsweredExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** True once the system has the whole answer, or the client has left. */
export function isWritten({ request, response }: AnsweredExchange): boolean {
  return response.destroyed || (response.writableEnded && request.socket.writableLength === 0);
}

/** Larger answers are written in pieces of this size. */
export const PIECE_BYTES = 256 * 1024;

/** Node reports no progress within a write, so a large answer in one write would be cut although it is read slowly. */
export function endInPieces(response: ServerResponse, bytes: Buffer): void {
  let at = 0;
  const writeOn = (): void => {
    while (at + PIECE_BYTES < bytes.length) {
      const isFull = !response.write(bytes.subarray(at, (at += PIECE_BYTES)));
      if (isFull) return void response.once('drain', writeOn);
    }
    response.end(bytes.subarray(at));
  };
  writeOn();
}
