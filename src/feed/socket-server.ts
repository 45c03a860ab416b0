import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { handleProtocols, makeServer, type ServerOptions } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';

import { FEED_LIMITS } from '../limits.ts';
import type { Intervals, Shares } from './bounds.ts';
import { type SocketHandshake, Peer } from './peer.ts';
import { type MessageDeps, ProtocolSocket } from './protocol-socket.ts';
import { CLOSE, closeSocket, keepAlive } from './socket.ts';

export type ProtocolOptions = ServerOptions<Record<string, unknown>, Peer>;

export interface SocketServerDeps extends MessageDeps {
  readonly connections: Shares;
  readonly callerOf: (request: IncomingMessage) => SocketHandshake;
  readonly options: ProtocolOptions;
  readonly intervals: Intervals;
}

const PATHS: readonly unknown[] = ['/graphql', '/graphql/'];
const OLD_PROTOCOL = 'graphql-ws';
/** Each fragment or piece takes memory until the message is complete. */
const MESSAGE_PARTS = 1024;
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
  const accept = (socket: WebSocket, stream: Duplex, from: SocketHandshake): void => {
    // ws closes the socket itself, with the appropriate code.
    socket.on('error', noop);
    const giveBack = deps.connections.take(from.ip);
    if (giveBack === null) {
      closeSocket(socket, CLOSE.tooManyConnections);
      return;
    }
    const peer = new Peer(socket, stream, from);
    const closed = protocol.opened(new ProtocolSocket(peer, deps), peer);
    socket.on('pong', onPong);
    socket.on('close', (code, reason) => {
      peer.endAll();
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
