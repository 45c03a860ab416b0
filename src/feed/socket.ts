import type { Duplex } from 'node:stream';

import type { Message } from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';

import { FEED_LIMITS } from '../limits.ts';
import { textOf } from '../http/sent-text.ts';
import { DomainError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { drained, writeTextFrame } from './frames.ts';

/** Why the service closes a socket by itself, beside the codes of graphql-transport-ws. */
export const CLOSE = {
  readsTooSlowly: { code: 4412, reason: 'Unread data: this client reads too slowly; resume from the last seq' },
  tooManyConnections: { code: 1013, reason: 'This address has too many open connections; close some and come back' },
  tooManyWithoutKey: {
    code: 1013,
    reason: 'This address has too many sockets without a key; send one in connection_init, or close some',
  },
  keepsTooMuch: {
    code: 1013,
    reason: 'The subscriptions of this address keep too much memory (limit 4 MiB); end some and come back',
  },
  goingAway: { code: 1012, reason: 'The service restarts; resume from the last seq' },
  fault: { code: 1013, reason: 'A fault of the service; come back and resume from the last seq' },
  notUnderstood: { code: 4400, reason: 'Invalid message received' },
  wrongKey: {
    code: 4403,
    reason: 'The key of this socket holds no longer or never did: send {"authorization":"Bearer pk_live_..."} or none',
  },
} as const;

/** Sentences for codes for which graphql-ws gives a reason of one word. */
const SENTENCES: Readonly<Record<number, string>> = {
  4401: 'Send connection_init before anything else',
  4406: 'This service speaks the subprotocol graphql-transport-ws alone; offer that',
};

interface Close {
  readonly code: number;
  readonly reason: string;
}

/** Clients come back by themselves after 1013. */
export function tooManyMessages(retryAfterSeconds: number): Close {
  return { code: 1013, reason: `This address has sent too many messages; come back in ${retryAfterSeconds} s` };
}

/** Why a message ends its socket: what it breaks, where that has a sentence. */
export function notTaken(error: unknown): Close {
  return error instanceof DomainError ? { ...CLOSE.notUnderstood, reason: error.message } : CLOSE.notUnderstood;
}

/** The client as the request shows it that opened its socket. */
export interface Opened {
  readonly ip: string;
  /** The origin of the page that opened the socket, where it may not create or change anything. */
  readonly foreignOrigin: string | undefined;
  /** The key that came with that request, as the header carried it. */
  readonly authorization: string | undefined;
}

/** The client of a socket. What it leaves unread is bounded, whatever is sent. */
export interface Peer extends Omit<Opened, 'authorization'> {
  /** The key, as a header would carry it; that of `connection_init` goes before that of the request. */
  authorization: string | undefined;
  readonly protocol: string;
  /** Settles when it is decided whether the client may connect; already settled before `connection_init`. */
  connecting: Promise<unknown>;
  /** The message that graphql-ws is being given; only until it has called back. */
  arriving: Message | null;
  isOpen(): boolean;
  /** Reads nothing more of the client until `resume`. */
  pause(): void;
  resume(): void;
  send(message: string): void;
  /** Sends the message `head` + `tail`; `tail` is not copied. */
  sendFrame(head: Buffer, tail: Buffer): void;
  /** Resolves when little is unread, or the socket is gone. */
  calm(): Promise<void>;
  close(why: Close): void;
  /** Calls `work` when the socket has closed, or at once where it has. */
  onClose(work: () => void): void;
  onMessage(take: (text: string) => void): void;
  /**
   * Registers an operation that has begun, and returns how to end it. It ends with the socket, and when another of the
   * same id begins.
   */
  begin(id: string, end: () => void): () => void;
}

/** A client that does not answer the close frame is disconnected after this. */
const TERMINATE_AFTER_MS = 5 * SECOND;
/** A client that catches up is sent more when less than this is unread. */
const CALM_BYTES = FEED_LIMITS.unreadBytes / 4;
const MAX_REASON_BYTES = 123;

/** `stream` is the connection below the socket. */
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

/** Whether a socket may be sent a message; one that has left too much unread is closed instead. */
function takesMore(socket: WebSocket): boolean {
  if (socket.readyState !== socket.OPEN) return false;
  if (socket.bufferedAmount <= FEED_LIMITS.unreadBytes) return true;
  closeSocket(socket, CLOSE.readsTooSlowly);
  return false;
}

/** Closes a socket; what is queued for it is dropped soon. A reason too long for WebSocket is left out. */
export function closeSocket(socket: Pick<WebSocket, 'close' | 'terminate'>, { code, reason }: Close): void {
  socket.close(code, Buffer.byteLength(reason) > MAX_REASON_BYTES ? '' : reason);
  setTimeout(() => socket.terminate(), TERMINATE_AFTER_MS).unref();
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

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
