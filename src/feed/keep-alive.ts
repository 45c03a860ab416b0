import type { WebSocket } from 'ws';

import { CLOSE, closeSocket } from './socket.ts';

/** What of a socket it takes. */
export type Pinged = Pick<WebSocket, 'readyState' | 'OPEN' | 'bufferedAmount' | 'ping' | 'close' | 'terminate'>;

export interface KeepAlive {
  /** To be called with each pong. */
  answered(socket: Pinged): void;
  stop(): void;
}

/** The sockets are pinged in so many groups, so that 10,000 of them are not pinged, and do not answer, all at once. */
export const PING_GROUPS = 64;

/**
 * Pings each of `sockets` every `pingMs` real milliseconds, and closes those of clients that are gone without a close
 * frame, or do not answer because they read nothing. One timer for all: timers and listeners of each socket's own took
 * 0.5 KB of it.
 */
export function keepAlive(sockets: ReadonlySet<Pinged>, pingMs: number): KeepAlive {
  const silent = new WeakSet<Pinged>();
  const ping = (socket: Pinged): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (!silent.has(socket)) socket.ping();
    else if (socket.bufferedAmount === 0) socket.terminate();
    else closeSocket(socket, CLOSE.readsTooSlowly);
    silent.add(socket);
  };
  // Goes on where it was, whoever comes and leaves meanwhile.
  let place = sockets.values();
  const next = (): Pinged | undefined => {
    const { done, value } = place.next();
    if (!done) return value;
    place = sockets.values();
    return place.next().value;
  };
  let due = 0;
  const pingSome = (): void => {
    for (due += sockets.size / PING_GROUPS; due >= 1; due -= 1) {
      const socket = next();
      if (socket !== undefined) ping(socket);
    }
  };
  const timer = setInterval(pingSome, pingMs / PING_GROUPS);
  return {
    answered: (socket) => void silent.delete(socket),
    stop: () => clearInterval(timer),
  };
}
