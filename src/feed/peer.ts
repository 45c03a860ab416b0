import type { Duplex } from 'node:stream';

import type { Message } from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';

import { textOf } from '../http/received-text.ts';
import { FEED_LIMITS } from '../limits.ts';
import { drained, type SharedPayload } from './frames.ts';
import { CLOSE, type Close, closeSocket, notTaken } from './socket.ts';

export interface SocketHandshake {
  readonly ip: string;
  readonly foreignOrigin: string | undefined;
  readonly authorization: string | undefined;
}

/** In place of graphql-ws's own reasons. */
const SENTENCES: Readonly<Record<number, string>> = {
  4401: 'Send connection_init before anything else',
  4406: 'This service accepts only the subprotocol graphql-transport-ws; offer that',
};

const CALM_BYTES = FEED_LIMITS.unreadBytes / 4;

/** The client of a socket. Its unread data is bounded. A class, since each socket would keep closures for its methods. */
export class Peer {
  readonly ip: string;
  readonly foreignOrigin: string | undefined;
  /** The key as a header carries it; `connection_init` takes precedence over the request. */
  authorization: string | undefined;
  /** Settles when the key is checked; already settled before `connection_init`. */
  connecting: Promise<unknown> = Promise.resolve();
  arriving: Message | null = null;
  private readonly socket: WebSocket;
  private readonly stream: Duplex;
  /** By the operation's id, or by itself. */
  private readonly ends = new Map<unknown, () => void>();
  private draining: Promise<void> | null = null;

  constructor(socket: WebSocket, stream: Duplex, { ip, foreignOrigin, authorization }: SocketHandshake) {
    this.socket = socket;
    this.stream = stream;
    this.ip = ip;
    this.foreignOrigin = foreignOrigin;
    this.authorization = authorization;
  }

  get protocol(): string {
    return this.socket.protocol;
  }

  isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  send(message: string): void {
    if (this.takesMore()) this.socket.send(message);
  }

  sendFrame(head: Buffer, payload: SharedPayload): void {
    if (this.takesMore()) payload.writeTo(this.stream, head);
  }

  private takesMore(): boolean {
    if (!this.isOpen()) return false;
    if (this.socket.bufferedAmount <= FEED_LIMITS.unreadBytes) return true;
    closeSocket(this.socket, CLOSE.readsTooSlowly);
    return false;
  }

  async calm(): Promise<void> {
    if (this.socket.bufferedAmount <= CALM_BYTES) return;
    this.draining ??= drained(this.stream).finally(() => {
      this.draining = null;
    });
    await this.draining;
  }

  close({ code, reason }: Close): void {
    closeSocket(this.socket, { code, reason: SENTENCES[code] ?? reason });
  }

  onMessage(take: (text: string) => void): void {
    this.socket.on('message', (data: RawData) => {
      try {
        take(textOf(bytesOf(data)));
      } catch (error) {
        closeSocket(this.socket, notTaken(error));
      }
    });
  }

  onClose(work: () => void): void {
    if (this.socket.readyState === this.socket.CLOSED) work();
    else this.ends.set(work, work);
  }

  /** Returns a function that ends the operation. It also ends with the socket, or when another one with its id begins. */
  begin(id: string, end: () => void): () => void {
    this.ends.get(id)?.();
    const endOnce = (): void => {
      if (this.ends.get(id) === endOnce) this.ends.delete(id);
      end();
    };
    this.ends.set(id, endOnce);
    if (!this.isOpen()) endOnce();
    return endOnce;
  }

  /** Called once the socket is closed. */
  endAll(): void {
    for (const end of this.ends.values()) end();
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
