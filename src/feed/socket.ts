import type { WebSocket } from 'ws';

import { DomainError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';

export const CLOSE = {
  readsTooSlowly: { code: 4412, reason: 'This client reads too slowly; resume from the last seq' },
  tooManyConnections: { code: 1013, reason: 'This address has too many open connections; close some and reconnect' },
  tooManyWithoutKey: {
    code: 1013,
    reason: 'This address has too many sockets without a key; send one in connection_init, or close some',
  },
  keepsTooMuch: {
    code: 1013,
    reason: 'The subscriptions of this address use too much memory (limit 4 MiB); end some and reconnect',
  },
  goingAway: { code: 1012, reason: 'The service is restarting; resume from the last seq' },
  fault: { code: 1013, reason: 'The service failed; reconnect and resume from the last seq' },
  notUnderstood: { code: 4400, reason: 'Invalid message received' },
  wrongKey: {
    code: 4403,
    reason: 'The key of this socket is invalid: send {"authorization":"Bearer pk_live_..."}, or no key',
  },
} as const;

export interface Close {
  readonly code: number;
  readonly reason: string;
}

const TERMINATE_AFTER_MS = 5 * SECOND;
const MAX_REASON_BYTES = 123;

export function tooManyMessages(retryAfterSeconds: number): Close {
  return { code: 1013, reason: `This address has sent too many messages; reconnect in ${retryAfterSeconds} s` };
}

export function notTaken(error: unknown): Close {
  return error instanceof DomainError ? { ...CLOSE.notUnderstood, reason: error.message } : CLOSE.notUnderstood;
}

/** Queued data is dropped soon. A reason too long for WebSocket is left out. */
export function closeSocket(socket: Pick<WebSocket, 'close' | 'terminate'>, { code, reason }: Close): void {
  socket.close(code, Buffer.byteLength(reason) > MAX_REASON_BYTES ? '' : reason);
  setTimeout(() => socket.terminate(), TERMINATE_AFTER_MS).unref();
}

export type PingedSocket = Pick<WebSocket, 'readyState' | 'OPEN' | 'bufferedAmount' | 'ping' | 'close' | 'terminate'>;

export const PING_GROUPS = 64;

/** Closes sockets without an answer: the client is gone without a close frame, or reads nothing. One timer serves all to save memory. */
export function keepAlive(sockets: ReadonlySet<PingedSocket>, pingMs: number) {
  const silent = new WeakSet<PingedSocket>();
  const ping = (socket: PingedSocket): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (!silent.has(socket)) socket.ping();
    else if (socket.bufferedAmount === 0) socket.terminate();
    else closeSocket(socket, CLOSE.readsTooSlowly);
    silent.add(socket);
  };
  let cursor = sockets.values();
  const next = (): PingedSocket | undefined => {
    const { done, value } = cursor.next();
    if (!done) return value;
    cursor = sockets.values();
    return cursor.next().value;
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
    answered: (socket: PingedSocket): void => void silent.delete(socket),
    stop: (): void => clearInterval(timer),
  };
}
