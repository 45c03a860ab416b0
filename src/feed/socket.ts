import type { Duplex } from 'node:stream';

import type { Message } from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';

import { FEED_LIMITS } from '../limits.ts';
import { textOf } from '../http/sent-text.ts';
import { DomainError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { drained, writeTextFrame } from './frames.ts';

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

const SENTENCES: Readonly<Record<number, string>> = {
  4401: 'Send connection_init before anything else',
  4406: 'This service accepts only the subprotocol graphql-transport-ws; offer that',
};

interface Close {
  readonly code: number;
  readonly reason: string;
}

export function tooManyMessages(retryAfterSeconds: number): Close {
  return { code: 1013, reason: `This address has sent too many messages; reconnect in ${retryAfterSeconds} s` };
}

export function notTaken(error: unknown): Close {
  return error instanceof DomainError ? { ...CLOSE.notUnderstood, reason: error.message } : CLOSE.notUnderstood;
}

export interface Opened {
  readonly ip: string;
  readonly foreignOrigin: string | undefined;
  readonly authorization: string | undefined;
}

/** The client of a socket. Its unread data is bounded. */
export interface Peer extends Omit<Opened, 'authorization'> {
  /** The key as a header carries it; `connection_init` takes precedence over the request. */
  authorization: string | undefined;
  readonly protocol: string;
  /** Settles when the key is checked; already settled before `connection_init`. */
  connecting: Promise<unknown>;
  arriving: Message | null;
  isOpen(): boolean;
  pause(): void;
  resume(): void;
  send(message: string): void;
  sendFrame(head: Buffer, tail: Buffer): void;
  calm(): Promise<void>;
  close(why: Close): void;
  onClose(work: () => void): void;
  onMessage(take: (text: string) => void): void;
  /** Returns a function that ends the operation. It also ends with the socket, or when another one with its id begins. */
  begin(id: string, end: () => void): () => void;
}

const TERMINATE_AFTER_MS = 5 * SECOND;
const CALM_BYTES = FEED_LIMITS.unreadBytes / 4;
const MAX_REASON_BYTES = 123;

export function openPeer(socket: WebSocket, stream: Duplex, from: Opened): Peer {
  const ends = new Map<string, () => void>();
  socket.once('close', () => {
    for (const end of ends.values()) end();
  });
  let calm: Promise<void> | null = null;
  return {
    ...from,
    protocol: socket.protocol,
    connecting: Promise.resolve(),
    arriving: null,
    isOpen: () => socket.readyState === socket.OPEN,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    send: (message) => {
      if (takesMore(socket)) socket.send(message);
    },
    sendFrame: (head, tail) => {
      if (takesMore(socket)) writeTextFrame(stream, head, tail);
    },
    async calm() {
      if (socket.bufferedAmount <= CALM_BYTES) return;
      calm ??= drained(stream).finally(() => {
        calm = null;
      });
      await calm;
    },
    close: ({ code, reason }) => closeSocket(socket, { code, reason: SENTENCES[code] ?? reason }),
    onClose: (work) => {
      if (socket.readyState === socket.CLOSED) work();
      else socket.once('close', work);
    },
    onMessage: (take) =>
      void socket.on('message', (data: RawData) => {
        try {
          take(textOf(bytesOf(data)));
        } catch (error) {
          closeSocket(socket, notTaken(error));
        }
      }),
    begin(id, end) {
      ends.get(id)?.();
      const endOnce = (): void => {
        if (ends.get(id) === endOnce) ends.delete(id);
        end();
      };
      ends.set(id, endOnce);
      if (socket.readyState !== socket.OPEN) endOnce();
      return endOnce;
    },
  };
}

function takesMore(socket: WebSocket): boolean {
  if (socket.readyState !== socket.OPEN) return false;
  if (socket.bufferedAmount <= FEED_LIMITS.unreadBytes) return true;
  closeSocket(socket, CLOSE.readsTooSlowly);
  return false;
}

/** Queued data is dropped soon. A reason too long for WebSocket is left out. */
export function closeSocket(socket: Pick<WebSocket, 'close' | 'terminate'>, { code, reason }: Close): void {
  socket.close(code, Buffer.byteLength(reason) > MAX_REASON_BYTES ? '' : reason);
  setTimeout(() => socket.terminate(), TERMINATE_AFTER_MS).unref();
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

export type Pinged = Pick<WebSocket, 'readyState' | 'OPEN' | 'bufferedAmount' | 'ping' | 'close' | 'terminate'>;

export const PING_GROUPS = 64;

/** Closes sockets without an answer: the client is gone without a close frame, or reads nothing. One timer serves all to save memory. */
export function keepAlive(sockets: ReadonlySet<Pinged>, pingMs: number) {
  const silent = new WeakSet<Pinged>();
  const ping = (socket: Pinged): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (!silent.has(socket)) socket.ping();
    else if (socket.bufferedAmount === 0) socket.terminate();
    else closeSocket(socket, CLOSE.readsTooSlowly);
    silent.add(socket);
  };
  let cursor = sockets.values();
  const next = (): Pinged | undefined => {
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
    answered: (socket: Pinged): void => void silent.delete(socket),
    stop: (): void => clearInterval(timer),
  };
}
