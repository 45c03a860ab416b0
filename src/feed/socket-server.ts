import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { handleProtocols, makeServer, type ServerOptions } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';

import { steadyMs } from '../clock.ts';
import { FEED_LIMITS } from '../limits.ts';
import { MINUTE } from '../rules/hours.ts';
import type { Intervals, Shares } from './bounds.ts';
import { giveMessage } from './client-message.ts';
import {
  CLOSE,
  closeSocket,
  keepAlive,
  notTaken,
  type Opened,
  openPeer,
  type Peer,
  tooManyMessages,
} from './socket.ts';

export type ProtocolOptions = ServerOptions<Record<string, unknown>, Peer>;

export interface SocketServerDeps {
  readonly connections: Shares;
  readonly callerOf: (request: IncomingMessage) => Opened;
  readonly options: ProtocolOptions;
  readonly intervals: Intervals;
  readonly admitMessage: (address: string) => Promise<number | null>;
  readonly report: (error: unknown) => void;
}

const PATHS: readonly unknown[] = ['/graphql', '/graphql/'];
const OLD_PROTOCOL = 'graphql-ws';
/** Each fragment or piece takes memory until the message is complete. */
const MESSAGE_PARTS = 1024;
const NORMAL = 1000;
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Other upgrades are offers that a server may ignore: clients that prefer HTTP/2 send them with every request. */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

export function openSocketServer(server: Server, deps: SocketServerDeps) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FEED_LIMITS.messageBytes,
    maxFragments: MESSAGE_PARTS,
    maxBufferedChunks: MESSAGE_PARTS,
    perMessageDeflate: false,
    handleProtocols: protocolOf,
  });
  const protocol = makeServer(deps.options);
  const alive = keepAlive(sockets.clients, deps.intervals.pingMs);
  function onPong(this: WebSocket): void {
    alive.answered(this);
  }
  const accept = (socket: WebSocket, stream: Duplex, from: Opened): void => {
    // ws closes the socket itself, with the appropriate code.
    socket.on('error', noop);
    const giveBack = deps.connections.take(from.ip);
    if (giveBack === null) {
      closeSocket(socket, CLOSE.tooManyConnections);
      return;
    }
    const peer = openPeer(socket, stream, from);
    const closed = protocol.opened(adapter(peer, deps), peer);
    socket.on('pong', onPong);
    socket.once('close', (code, reason) => {
      giveBack();
      closed(code, reason.toString()).catch(deps.report);
    });
  };
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (!PATHS.includes(request.url?.split('?', 1)[0])) refuse(stream);
    else sockets.handleUpgrade(request, stream, head, (socket) => accept(socket, stream, deps.callerOf(request)));
  });
  return {
    count: () => sockets.clients.size,
    async close(): Promise<void> {
      for (const socket of sockets.clients) closeSocket(socket, CLOSE.goingAway);
      await new Promise((resolve) => sockets.close(resolve));
      alive.stop();
    },
  };
}

function noop(): void {}

/** Does not wait for the client to close: nothing else would end its connection. */
function refuse(stream: Duplex): void {
  stream.on('error', () => stream.destroy()).once('finish', () => stream.destroy());
  stream.end(NOT_FOUND);
}

/** The older subprotocol is accepted only so that its client can receive the close code 4406. */
function protocolOf(offered: Set<string>): string | false {
  return handleProtocols(offered) || (offered.has(OLD_PROTOCOL) && OLD_PROTOCOL);
}

function adapter(peer: Peer, deps: SocketServerDeps) {
  return {
    protocol: peer.protocol,
    send: (text: string): void => peer.send(text),
    close: (code = NORMAL, reason = ''): void => peer.close({ code, reason }),
    onMessage: (take: (text: string) => Promise<void>): void => takeMessages(peer, deps, take),
  };
}

/** A message is counted before it is parsed, and waits for the check of the key in `connection_init`. */
function takeMessages(
  peer: Peer,
  { admitMessage, report }: Pick<SocketServerDeps, 'admitMessage' | 'report'>,
  take: (text: string) => Promise<void>,
): void {
  const isFree = freeMessages();
  const pass = async (text: string): Promise<void> => {
    if (!peer.isOpen()) return;
    const retryAfter = isFree(text) ? null : await admitMessage(peer.ip);
    if (retryAfter !== null) {
      peer.close(tooManyMessages(retryAfter));
      return;
    }
    await peer.connecting.catch(() => {});
    if (peer.isOpen()) void giveMessage(peer, text, take).catch((error: unknown) => peer.close(notTaken(error)));
  };
  let before: Promise<void> = Promise.resolve();
  let waiting = 0;
  peer.onMessage((text) => {
    waiting += 1;
    if (waiting === FEED_LIMITS.messagesWaiting) peer.pause();
    before = before
      .then(() => pass(text))
      .catch((error: unknown) => {
        report(error);
        peer.close(CLOSE.fault);
      })
      .finally(() => {
        waiting -= 1;
        if (waiting === 0) peer.resume();
      });
  });
}

const CONTROL_MESSAGE =
  /^\{(?:"id":"[^"\\]{1,100}",)?"type":"(?:ping|pong|complete)"(?:,"id":"[^"\\]{1,100}")?(?:,"payload":(?:null|\{\}))?\}$/;

/** Each socket may send some control messages a minute without counting. */
function freeMessages(): (text: string) => boolean {
  let since = steadyMs();
  let count = 0;
  return (text) => {
    if (!CONTROL_MESSAGE.test(text)) return false;
    const now = steadyMs();
    if (now - since >= MINUTE) {
      since = now;
      count = 0;
    }
    count += 1;
    return count <= FEED_LIMITS.controlMessagesPerMinute;
  };
}
