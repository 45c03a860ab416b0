import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { DomainError, type ErrorReason, quoted } from '../rules/errors.ts';
import { errorBody, statusOf } from './errors.ts';
import { JSON_TYPE } from './exchange.ts';

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

export function refusalOf(request: IncomingMessage): Refusal | null {
  const { headers, httpVersion } = request;
  if (!hasAddress(request)) return NO_ADDRESS;
  if (headers.host === undefined && httpVersion === '1.1') return NO_HOST;
  return headers.authorization !== undefined && hasOtherKey(request, headers.authorization) ? TWO_KEYS : null;
}

/** Express finds no path in some targets that are neither path nor absolute URL, and would answer those in HTML. */
function hasAddress({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/') || url === '*' || URL.canParse(url);
}

const AUTHORIZATION = 'authorization';

/** Node uses the first of several headers; a proxy may use the last, which would name another caller. */
function hasOtherKey({ rawHeaders }: IncomingMessage, key: string): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const isOne = name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION;
    if (isOne && rawHeaders[at + 1] !== key) return true;
  }
  return false;
}

export function unmetExpectation({ headers: { expect } }: IncomingMessage): Refusal {
  const sentence = `The header Expect must be 100-continue (got ${quoted(expect)}).`;
  return { ...refusal('unreadable_request', sentence), status: 417 };
}

export function refuse(response: ServerResponse, { status, body }: Refusal): number {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': length, Connection: 'close' }).end(body);
  return status;
}

const ANSWERS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

type Response = ServerResponse & { req: IncomingMessage };

const NEWEST = Symbol('the newest response');

/** A property, because the garbage collector scans a WeakMap each time. */
interface Connection extends Duplex {
  [NEWEST]?: Response;
}

/** The refusal must not be written into or after another answer. A complete request is answered first. */
export function answerUnreadable(server: Server, onAnswer: (status: number) => void): (response: Response) => void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    const response = socket[NEWEST];
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else if (response === undefined || isFree(response, socket)) {
      const refused = ANSWERS[error.code ?? ''] ?? BROKEN;
      onAnswer(refused.status);
      socket.end(textOf(refused));
    } else if (response.req.complete && !response.headersSent)
      response.once('close', () => socket.end(() => socket.destroy()));
    else socket.destroy();
  });
  return (response) => {
    const connection: Connection = response.req.socket;
    connection[NEWEST] = response;
  };
}

/** True: the newest request is answered, or is next in line and its body never came. */
function isFree({ req: { complete }, writableFinished, headersSent, socket }: Response, of: Duplex): boolean {
  return complete ? writableFinished : !headersSent && socket === of;
}

function textOf({ status, body }: Refusal): string {
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: ${JSON_TYPE}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
