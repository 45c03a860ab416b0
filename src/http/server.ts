import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createProbe, type Server as NetServer } from 'node:net';

import { codeOf } from '../database/failures.ts';
import { SECOND } from '../rules/hours.ts';
import { StartError } from '../rules/errors.ts';
import { type Exchange, type Handler, plainTarget, type SendResult } from './exchange.ts';
import { answerUnreadable, refusalOf, refuse, unmetExpectation } from './refused-requests.ts';
import { cutUnread, isWritten } from './unread-answers.ts';

/** Timeouts in real milliseconds. Event streams, exports and sockets have bounds of their own. */
const DEFAULTS = {
  headersMs: 10 * SECOND,
  requestMs: 30 * SECOND,
  /** Longer than load balancers' timeouts, so that no connection closes while one reuses it. */
  idleMs: 65 * SECOND,
  /** While bytes are unread, some must be read within this time. */
  answerMs: 50 * SECOND,
  checkMs: SECOND,
};

export type ServerTimeouts = Readonly<typeof DEFAULTS>;

const HEADER_BYTES = 16 * 1024;

export interface ServerOptions {
  readonly handler?: Handler | undefined;
  readonly listener: RequestListener;
  readonly timeouts?: Partial<ServerTimeouts> | undefined;
  /** A proxy has many callers behind it, so its connections are not counted. */
  readonly isProxy: (address: string) => boolean;
  /** `take` returns a function that frees the connection, or null at the limit of its address. */
  readonly connections: { readonly take: (address: string) => (() => void) | null };
  readonly upgrades: (request: IncomingMessage) => boolean;
  readonly onUnreadable: (status: number) => void;
}

export function openServer({ timeouts, onUnreadable, upgrades, ...options }: ServerOptions): Server {
  const { headersMs, requestMs, idleMs, answerMs, checkMs } = { ...DEFAULTS, ...timeouts };
  const server = createServer(
    {
      shouldUpgradeCallback: (request) => {
        request.url = plainTarget(request.url);
        return refusalOf(request) === null && upgrades(request);
      },
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: checkMs,
    },
    (request, response) => {
      noteRequest(response);
      const refused = refusalOf(request);
      if (refused === null) {
        request.url = plainTarget(request.url);
        answer(server, options, { request, response });
      } else onUnreadable(refuse(response, refused));
    },
  );
  server.on('checkExpectation', (request, response) => onUnreadable(refuse(response, unmetExpectation(request))));
  const noteRequest = answerUnreadable(server, onUnreadable);
  cutUnread(server, { answerMs, checkMs });
  boundConnections(server, options);
  return server;
}

interface ServerExchange extends Exchange {
  readonly response: ServerResponse & { req: IncomingMessage };
}

function answer(
  server: Server,
  { handler, listener }: Pick<ServerOptions, 'handler' | 'listener'>,
  { request, response }: ServerExchange,
): void {
  const answered = handledBy(handler, { request, response });
  if (answered === null) {
    closeWhenClosing(server, { request, response });
    listener(request, response);
    return;
  }
  const written = (): void => {
    // Nearly every answer is written here, so no listener is needed.
    if (!isWritten({ request, response }) || !server.listening) closeWhenClosing(server, { request, response });
  };
  if (answered === 'sent') written();
  else answered.then(written, () => request.socket.destroy());
}

/** A fault closes one connection, whether it comes at once or later. */
function handledBy(handler: Handler | undefined, exchange: ServerExchange): SendResult | null {
  try {
    return handler?.(exchange) ?? null;
  } catch (error) {
    return Promise.reject(error);
  }
}

function boundConnections(
  server: Server,
  { isProxy, connections }: Pick<ServerOptions, 'isProxy' | 'connections'>,
): void {
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const giveBack = isProxy(address) ? () => {} : connections.take(address);
    if (giveBack === null) socket.resetAndDestroy();
    else socket.on('close', giveBack);
  });
}

/** A caller that keeps sending requests on one connection would delay the stop for ever. */
function closeWhenClosing(server: Server, { request, response }: ServerExchange): void {
  response.once('close', () => {
    if (!server.listening) request.socket.end();
  });
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop what listens there, or set PORT to a free one.',
  EACCES: 'needs more privileges: set PORT to 1024 or above.',
  EADDRNOTAVAIL: 'cannot be listened on: this machine has no such address; set HOST to one of its own.',
  ENOTFOUND: 'cannot be listened on: the name is not known; set HOST to an address of this machine.',
};

/** Resolves with the server's URL. Throws a `StartError` if the settings name no address to listen on. */
export function listen(server: NetServer, { port, host }: { port: number; host: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const advice = ADVICE[codeOf(cause)];
      if (advice === undefined) reject(cause);
      else reject(new StartError(`Port ${port} on ${host} ${advice}`, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
      resolve(`http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`);
    });
  });
}

export async function checkPort(address: Parameters<typeof listen>[1]): Promise<void> {
  const probe = createProbe((socket) => socket.destroy());
  await listen(probe, address);
  await new Promise((closed) => probe.close(closed));
}

const CLOSE_GRACE_MS = 5 * SECOND;

/** `begun` resolves when no new requests are accepted, `ended` when no connection is left. */
export function closeServer(server: Server, prepare: () => Promise<void>) {
  setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS).unref();
  const ended = Promise.withResolvers<void>();
  const begin = async (): Promise<void> => {
    await prepare();
    server.close((error) =>
      error && 'code' in error && error.code !== 'ERR_SERVER_NOT_RUNNING' ? ended.reject(error) : ended.resolve(),
    );
    server.closeIdleConnections();
  };
  return { begun: begin(), ended: ended.promise };
}
