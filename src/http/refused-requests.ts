import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { DomainError, type ErrorReason, quoted } from '../rules/errors.ts';
import { errorBody, statusOf } from './errors.ts';
import { JSON_TYPE } from './exchange.ts';

/* What is refused before anybody reads it, answered as everything else is: with `{"error": ...}`. */

interface Refusal {
  readonly status: number;
  readonly body: string;
}

const TOO_LARGE = refusal('headers_too_large', 'The address and headers are too large: at most 16 KiB are read.');
const TOO_SLOW = refusal('request_timeout', 'The request did not arrive in time.');
const NO_ADDRESS = refusal('unreadable_request', 'The address of the request cannot be read.');
const NO_HOST = refusal('unreadable_request', 'A request over HTTP/1.1 must have the header Host (got none).');
const TWO_KEYS = refusal('unreadable_request', 'The header Authorization must be sent once (got different values).');
const BROKEN = refusal('unreadable_request', 'The request is not valid HTTP.');

function refusal(reason: ErrorReason, message: string): Refusal {
  return { status: statusOf(reason), body: JSON.stringify(errorBody(new DomainError(reason, message))) };
}

/** Why a request is not looked at further; null where it is. */
export function refusalOf(request: IncomingMessage): Refusal | null {
  const { headers, httpVersion } = request;
  if (!hasAddress(request)) return NO_ADDRESS;
  if (headers.host === undefined && httpVersion === '1.1') return NO_HOST;
  return headers.authorization !== undefined && hasOtherKey(request, headers.authorization) ? TWO_KEYS : null;
}

/** A target that is neither a path nor an absolute address: Express finds no path in some of them, and then answers in HTML. */
function hasAddress({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/') || url === '*' || URL.canParse(url);
}

const AUTHORIZATION = 'authorization';

/** Node takes the first of several: a proxy that takes the last would mean another caller. */
function hasOtherKey({ rawHeaders }: IncomingMessage, key: string): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const isOne = name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION;
    if (isOne && rawHeaders[at + 1] !== key) return true;
  }
  return false;
}

/** The refusal of a request that expects what the service does not do. */
export function unmetExpectation({ headers: { expect } }: IncomingMessage): Refusal {
  const sentence = `The header Expect must be 100-continue (got ${quoted(expect)}).`;
  return { ...refusal('unreadable_request', sentence), status: 417 };
}

/** Sends a refusal, and returns its status. */
export function refuse(response: ServerResponse, { status, body }: Refusal): number {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': length, Connection: 'close' }).end(body);
  return status;
}

/** By the code of the error with which Node's parser gives up a request. */
const ANSWERS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

type Response = ServerResponse & { req: IncomingMessage };

const NEWEST = Symbol('the newest response');

/** A connection. A property, since the collector looks through a WeakMap each time. */
interface Connection extends Duplex {
  [NEWEST]?: Response;
}

/**
 * Answers what Node's parser gives up, unless that would stand within an answer, or behind the one that its request was given already.
 * A request that is whole is answered first. Returns how to note the newest request of each connection.
 */
export function answerUnreadable(server: Server, onAnswer: (status: number) => void): (response: Response) => void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    const response = socket[NEWEST];
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else if (response === undefined || isFree(response, socket)) {
      const refused = ANSWERS[error.code ?? ''] ?? BROKEN;
      onAnswer(refused.status);
      socket.end(textOf(refused));
    } else if (response.req.complete && !response.headersSent) answeredFirst(response, socket);
    else socket.destroy();
  });
  return (response) => {
    const connection: Connection = response.req.socket;
    connection[NEWEST] = response;
  };
}

function answeredFirst(response: Response, socket: Duplex): void {
  response.once('close', () => socket.end(() => socket.destroy()));
}

/** Whether the newest request has its whole answer, or stands next to be answered, with a body that never came. */
function isFree({ req: { complete }, writableFinished, headersSent, socket }: Response, of: Duplex): boolean {
  return complete ? writableFinished : !headersSent && socket === of;
}

function textOf({ status, body }: Refusal): string {
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: ${JSON_TYPE}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
