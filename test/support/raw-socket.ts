import { once } from 'node:events';

import { WebSocket } from 'ws';

import { type Collected, collector } from './collector.ts';
import { socketUrl } from './socket-client.ts';

export interface Message {
  readonly type: string;
  readonly id?: string;
  // Tests compare payloads whole.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly payload?: any;
}

/** A socket for arbitrary messages. */
export interface RawSocket extends Collected<Message>, Disposable {
  readonly socket: WebSocket;
  /** Strings are sent as they are, other values as JSON. */
  say(message: unknown): void;
  subscribe(id: string, query: string, variables?: Readonly<Record<string, unknown>>): void;
  /** The operation's received messages. */
  results(id: string): readonly Message[];
  /** The close event. */
  readonly end: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface RawSettings {
  /** The payload of connection_init; null: it is not sent. */
  readonly init?: Readonly<Record<string, unknown>> | null;
  readonly protocol?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Connects, and awaits the acknowledgement unless `init` is null. */
export async function rawSocket(url: string, settings: RawSettings = {}): Promise<RawSocket> {
  const { init = {}, protocol = 'graphql-transport-ws', headers = {} } = settings;
  const socket = new WebSocket(socketUrl(url), protocol, { headers });
  const messages = collector<Message>();
  const { promise: end, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
  socket.on('message', (data: Buffer) => messages.add(JSON.parse(data.toString())));
  socket.on('error', () => {});
  socket.once('close', (code, reason) => {
    resolve({ code, reason: reason.toString() });
    messages.fail(new Error(`closed with ${code} ${reason.toString()}`));
  });
  await once(socket, 'open');
  const say = (message: unknown): void => socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  if (init !== null) {
    say({ type: 'connection_init', payload: init });
    await messages.first(1);
  }
  return {
    ...messages,
    socket,
    say,
    subscribe: (id, query, variables = {}) => say({ id, type: 'subscribe', payload: { query, variables } }),
    results: (id) => messages.items.filter((message) => message.id === id),
    end,
    [Symbol.dispose]: () => socket.terminate(),
  };
}
