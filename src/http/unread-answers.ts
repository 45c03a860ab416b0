import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface UnreadBounds {
  /** How long bytes may lie unread while none of them are taken, in real milliseconds. */
  readonly answerMs: number;
  /** How often that is looked at. */
  readonly lookMs: number;
}

/** A connection with bytes that the system has not taken, as it was when it was looked at. */
interface Seen {
  readonly taken: number;
  /** In how many looks in a row none were taken since. */
  readonly looks: number;
}

/**
 * Resets connections whose bytes nobody reads, so that the system drops at once what it holds for them. Each has one deadline, from
 * when the last of its bytes were taken, however many answers wait behind the one that is not read. An answer that is being
 * worked out has no bytes yet. Looks are counted, not time: after a pause of the process callers still have theirs.
 */
export function cutUnread(server: Server, { answerMs, lookMs }: UnreadBounds): void {
  const sockets = new Set<Socket>();
  const seen = new WeakMap<Socket, Seen>();
  const most = Math.ceil(answerMs / lookMs);
  const look = (socket: Socket): void => {
    if (socket.writableLength === 0) {
      seen.delete(socket);
      return;
    }
    const taken = socket.bytesWritten - socket.writableLength;
    const before = seen.get(socket);
    const looks = before?.taken === taken ? before.looks + 1 : 0;
    if (looks < most) seen.set(socket, { taken, looks });
    else socket.resetAndDestroy();
  };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('listening', () => {
    const looking = setInterval(() => {
      for (const socket of sockets) look(socket);
    }, lookMs).unref();
    server.once('close', () => clearInterval(looking));
  });
}
