import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createProbe, type Server as NetServer } from 'node:net';

import { codeOf } from '../database/failures.ts';
import { SECOND } from '../rules/hours.ts';
import { StartError } from '../rules/errors.ts';
import { type Exchange, type Handler, plainTarget } from './exchange.ts';
import { answerUnreadable, refusalOf, refuse, unmetExpectation } from './refused-requests.ts';
import { cutUnread } from './unread-answers.ts';

/** How long the server waits for a caller, in real milliseconds. Event streams, exports and sockets have bounds of their own. */
export interface ServerTimeouts {
  /** For the head of a request. */
  readonly headersMs: number;
  /** For a whole request, its body too. */
  readonly requestMs: number;
  /** For the next request on a connection: longer than balancers keep theirs, so that none is cut as it is used. */
  readonly idleMs: number;
  /** For bytes to be read: while some of a connection's lie unread, more of them must be taken within this. */
  readonly answerMs: number;
  /** How often all but the third are looked at. */
  readonly lookMs: number;
}

const DEFAULTS: ServerTimeouts = {
  headersMs: 10 * SECOND,
  requestMs: 30 * SECOND,
  idleMs: 65 * SECOND,
  answerMs: 50 * SECOND,
  lookMs: SECOND,
};

/** The address and the headers of a request, in bytes. */
const HEADER_BYTES = 16 * 1024;

export interface ServerOptions {
  /** Sees every request first. */
  readonly handler?: Handler | undefined;
  /** Gets all that the handler does not answer. */
  readonly listener: RequestListener;
  readonly timeouts?: Partial<ServerTimeouts> | undefined;
  /** Whether whoever is connected from an address is a proxy, which has many callers behind it. */
  readonly isProxy: (address: string) => boolean;
  /** Counts the open connections of an address: `take` returns how to give one back, or null when all are taken. */
  readonly connections: { readonly take: (address: string) => (() => void) | null };
  /** Which requests for another protocol are handed to `upgrade`; the others are answered as if they had not asked. */
  readonly upgrades: (request: IncomingMessage) => boolean;
  /** Called with the status of each request that was given up before `listener` saw it. */
  readonly onUnreadable: (status: number) => void;
}

/** A server that nobody can keep waiting, nor fill with headers. */
export function openServer({ timeouts, onUnreadable, upgrades, ...options }: ServerOptions): Server {
  const { headersMs, requestMs, idleMs, answerMs, lookMs } = { ...DEFAULTS, ...timeouts };
  const server = createServer(
    {
      shouldUpgradeCallback: (request) => {
        request.url = plainTarget(request.url);
        return refusalOf(request) === null && upgrades(request);
      },
      // Missing ones are refused with a sentence.
      requireHostHeader: false,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: lookMs,
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
  cutUnread(server, { answerMs, lookMs });
  boundConnections(server, options);
  return server;
}

interface ServerExchange extends Exchange {
  readonly response: ServerResponse & { req: IncomingMessage };
}

type Answering = Pick<ServerOptions, 'handler' | 'listener'>;

function answer(server: Server, { handler, listener }: Answering, { request, response }: ServerExchange): void {
  const answered = handler?.({ request, response }) ?? null;
  if (answered === null) {
    closeWhenClosing(server, { request, response });
    listener(request, response);
    return;
  }
  const written = (): void => {
    // The system has taken the whole of nearly every answer by now, and then there is nothing to wait for.
    if (request.socket.writableLength > 0 || !server.listening) closeWhenClosing(server, { request, response });
  };
  // A handler fails where an answer cannot be sent.
  answered.then(written, () => request.socket.destroy());
}

/** The feed's connections among them. A proxy's own are not counted: it tells callers apart by a header of each request. */
function boundConnections(
  server: Server,
  { isProxy, connections }: Pick<ServerOptions, 'isProxy' | 'connections'>,
): void {
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const giveBack = isProxy(address) ? () => {} : connections.take(address);
    if (giveBack === null) socket.resetAndDestroy();
    else socket.once('close', giveBack);
  });
}

/** A caller that never stops asking on one connection would hold the stop up for ever. */
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

/**
 * Lets `server` take requests, and resolves with its URL. Throws a `StartError` where the settings name no place to listen.
 */
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

/** Throws the same `StartError` as `listen`, which is then found before anything is made, and takes no port. */
export async function checkPort(place: Parameters<typeof listen>[1]): Promise<void> {
  const probe = createProbe((socket) => socket.destroy());
  await listen(probe, place);
  await new Promise((closed) => probe.close(closed));
}

/** How long callers that are slow to send or to read are waited for, in real milliseconds. */
const CLOSING_MS = 5 * SECOND;

/**
 * After `prepare`, takes no new requests, lets those in flight finish, and closes idle connections at once. Who has not
 * sent the whole request, or not taken the whole answer, within a few seconds of the beginning is cut off. `begun`
 * resolves when no new requests are taken, `ended` when no connection is left.
 */
export function closeServer(server: Server, prepare: () => Promise<void>) {
  setTimeout(() => server.closeAllConnections(), CLOSING_MS).unref();
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
