import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { handleProtocols, makeServer, type ServerOptions } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';

import { FEED_LIMITS } from '../limits.ts';
import type { Connections } from './connections.ts';
import type { Intervals } from './intervals.ts';
import { CLOSE, closeSocket, keepAlive, openPeer, type Peer } from './peer.ts';

/** How operations run; the protocol itself is graphql-ws's. */
export type PeerOptions = ServerOptions<Record<string, unknown>, Peer>;

export interface WebSocketNeeds {
  readonly connections: Connections;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly options: PeerOptions;
  readonly intervals: Intervals;
  readonly report: (error: unknown) => void;
}

export interface WebSockets {
  /** Open connections. */
  readonly count: () => number;
  /** Says goodbye to every client, so that it comes back elsewhere. */
  close(): Promise<void>;
}

const PATH = '/graphql';
/** The closing code of a connection that has served its purpose. */
const NORMAL = 1000;
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Whether a request asks for a WebSocket. Other upgrades are offers that a server may ignore: clients that would like
 * HTTP/2 send them with every request.
 */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** GraphQL over WebSocket on the server's own port and path. */
export function openWebSockets(server: Server, needs: WebSocketNeeds): WebSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FEED_LIMITS.messageBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => handleProtocols(protocols),
  });
  const protocol = makeServer(needs.options);
  const accept = (socket: WebSocket, stream: Duplex, ip: string): void => {
    // ws itself closes the socket then, with the code that fits.
    socket.on('error', () => {});
    const giveBack = needs.connections.take(ip);
    if (giveBack === null) {
      closeSocket(socket, CLOSE.tooManyConnections);
      return;
    }
    const peer = openPeer(socket, stream, ip);
    const closed = protocol.opened(adapter(peer), peer);
    keepAlive(socket, needs.intervals.pingMs);
    socket.once('close', (code, reason) => {
      giveBack();
      closed(code, reason.toString()).catch(needs.report);
    });
  };
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (pathOf(request) !== PATH) refuse(stream);
    else sockets.handleUpgrade(request, stream, head, (socket) => accept(socket, stream, needs.addressOf(request)));
  });
  return {
    count: () => sockets.clients.size,
    async close() {
      for (const socket of sockets.clients) closeSocket(socket, CLOSE.goingAway);
      await new Promise((resolve) => sockets.close(resolve));
    },
  };
}

/** The client is not waited for: nothing else would ever end its connection. */
function refuse(stream: Duplex): void {
  stream.on('error', () => stream.destroy()).once('finish', () => stream.destroy());
  stream.end(NOT_FOUND);
}

function pathOf({ url }: IncomingMessage): string | undefined {
  return url?.split('?', 1)[0];
}

/** A peer as graphql-ws wants it. What graphql-ws throws is about the message; faults of ours are caught before. */
function adapter(peer: Peer) {
  return {
    protocol: peer.protocol,
    send: (text: string): void => peer.send(text),
    close: (code = NORMAL, reason = ''): void => peer.close({ code, reason }),
    onMessage: (take: (text: string) => Promise<void>): void => {
      peer.onMessage((text) => void take(text).catch(() => peer.close(CLOSE.notUnderstood)));
    },
  };
}
