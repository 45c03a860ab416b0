import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { handleProtocols, makeServer, type ServerOptions } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';

import { steadyMs } from '../clock.ts';
import { FEED_LIMITS } from '../limits.ts';
import { MINUTE } from '../rules/hours.ts';
import type { Connections, Intervals } from './bounds.ts';
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

/** How operations run; graphql-ws implements the protocol itself. */
export type ProtocolOptions = ServerOptions<Record<string, unknown>, Peer>;

export interface SocketServerDeps {
  readonly connections: Connections;
  readonly callerOf: (request: IncomingMessage) => Opened;
  readonly options: ProtocolOptions;
  readonly intervals: Intervals;
  /** Counts a message of the address: returns in how many seconds to come back when there were too many, or null. */
  readonly admitMessage: (address: string) => Promise<number | null>;
  readonly report: (error: unknown) => void;
}

interface SocketServer {
  /** Open connections. */
  readonly count: () => number;
  /** Closes every socket with a code after which clients connect again. */
  close(): Promise<void>;
}

const PATHS: readonly unknown[] = ['/graphql', '/graphql/'];
/** The predecessor of graphql-transport-ws. */
const OLD_PROTOCOL = 'graphql-ws';
/** The most fragments and pieces in which a message may come: each takes memory until the message is whole. */
const MESSAGE_PARTS = 1024;
/** The close code of a connection that has ended normally. */
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
export function openSocketServer(server: Server, deps: SocketServerDeps): SocketServer {
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
    // ws itself closes the socket then, with the code that fits.
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
    if (!PATHS.includes(pathOf(request))) refuse(stream);
    else sockets.handleUpgrade(request, stream, head, (socket) => accept(socket, stream, deps.callerOf(request)));
  });
  return {
    count: () => sockets.clients.size,
    async close() {
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

function pathOf({ url }: IncomingMessage): string | undefined {
  return url?.split('?', 1)[0];
}

/** The older subprotocol is accepted only so that its client can receive the close code 4406. */
function protocolOf(offered: Set<string>): string | false {
  return handleProtocols(offered) || (offered.has(OLD_PROTOCOL) && OLD_PROTOCOL);
}

/** A peer as graphql-ws expects it. What graphql-ws throws is the client's fault; ours are caught before. */
function adapter(peer: Peer, deps: SocketServerDeps) {
  return {
    protocol: peer.protocol,
    send: (text: string): void => peer.send(text),
    close: (code = NORMAL, reason = ''): void => peer.close({ code, reason }),
    onMessage: (take: (text: string) => Promise<void>): void => takeMessages(peer, deps, take),
  };
}

/**
 * Passes a socket's messages to `take` in order, each after it was counted against the budget of its address and before
 * it is parsed. What follows `connection_init` waits until the key has been checked: clients that do not wait for the
 * acknowledgement get the same answer as those that do.
 */
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

/** Pings, pongs and `complete`, exactly as clients write them. */
const CONTROL_MESSAGE =
  /^\{(?:"id":"[^"\\]{1,100}",)?"type":"(?:ping|pong|complete)"(?:,"id":"[^"\\]{1,100}")?(?:,"payload":(?:null|\{\}))?\}$/;

/** Whether a message is not counted: each socket may send some control messages a minute for free. */
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
