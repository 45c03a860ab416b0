import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import express from 'express';

import { BODY_BYTES, QUERY_BYTES } from '../limits.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import type { Exchange } from './exchange.ts';
import { fieldsIn, jsonOf, textOf } from './received-text.ts';

export interface SentJson {
  readonly text: string;
  readonly value: () => unknown;
}

type ReadJson = (exchange: Exchange) => Promise<SentJson | undefined>;

export const readQuery: ReadJson = jsonReader(QUERY_BYTES);

const readBody = jsonReader(BODY_BYTES);
const readForm = bytesReader('application/x-www-form-urlencoded', BODY_BYTES);

/** The fields of an HTML form; none for other content types. Throws `BAD_REQUEST`, or errors that `unreadable` translates. */
export async function formFields(exchange: Exchange): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readForm(exchange);
  return bytes === undefined ? {} : Object.fromEntries(fieldsIn(textOf(bytes)));
}

/** The JSON body, at most 16 KiB. Throws `BAD_REQUEST`, or errors that `unreadable` translates. */
export async function jsonValue(exchange: Exchange): Promise<unknown> {
  const sent = await readBody(exchange);
  if (sent !== undefined) return sent.value();
  const type = quoted(exchange.request.headers['content-type']);
  const message = `The body must be JSON, sent with the header "Content-Type: application/json" (got ${type}).`;
  throw new DomainError('invalid_body', message);
}

export async function jsonBody(exchange: Exchange): Promise<Readonly<Record<string, unknown>>> {
  const body = await jsonValue(exchange);
  if (!isObject(body)) {
    throw new DomainError(
      'invalid_body',
      `The body must be a JSON object, such as {"name": "my-agent"} (got ${quoted(body)}).`,
    );
  }
  return body;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonReader(maxBytes: number): ReadJson {
  const read = bytesReader('application/json', maxBytes);
  return async (exchange) => {
    const bytes = await read(exchange);
    if (bytes === undefined) return undefined;
    const text = textOf(bytes);
    // An empty body counts as an object without fields.
    return { text, value: () => (text === '' ? {} : jsonOf(text)) };
  };
}

function bytesReader(type: string, maxBytes: number) {
  const gather = express.raw({ limit: maxBytes, type });
  const plain: readonly unknown[] = [type, `${type}; charset=utf-8`];
  return async ({ request, response }: Exchange): Promise<Buffer | undefined> => {
    // Node's parser delivers a body that came with its head after the request listener has returned.
    await Promise.resolve();
    const { headers } = request;
    if (plain.includes(headers['content-type']) && headers['content-encoding'] === undefined) {
      const bytes = bytesAtHand(request, maxBytes);
      if (bytes !== null) return bytes;
    }
    await new Promise<void>((resolve, reject) => {
      gather(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    if (!('body' in request) || !(request.body instanceof Buffer))
      return isMissing(headers, type) ? Buffer.alloc(0) : undefined;
    // The same error as the body parser's for a charset that it cannot decode.
    if (!isUtf8Named(headers)) throw Object.assign(new Error('The body must be UTF-8'), { status: 415 });
    return request.body;
  };
}

function bytesAtHand(request: IncomingMessage, maxBytes: number): Buffer | null {
  const length = Number(request.headers['content-length']);
  if (!(length > 0 && length <= maxBytes && request.readableLength === length)) return null;
  const bytes: unknown = request.read();
  return bytes instanceof Buffer ? bytes : null;
}

/** True for a body of this media type that was never sent, which the body parser skips. */
function isMissing(headers: IncomingHttpHeaders, type: string): boolean {
  const { 'content-length': length, 'transfer-encoding': coding, 'content-type': given = '' } = headers;
  const [media = ''] = given.toLowerCase().split(';', 1);
  return length === undefined && coding === undefined && media.trim() === type;
}

function isUtf8Named({ 'content-type': type = '' }: IncomingHttpHeaders): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type) ?? [];
  return /^utf-?8$/i.test(charset);
}

export function unreadableRequest(): DomainError {
  return new DomainError(
    'unreadable_request',
    'The request cannot be read: its address, encoding or character set is broken.',
  );
}

/** The error for what Express and its parser throw at unreadable requests, else null. `maxBytes` is the body limit. */
export function unreadable(error: unknown, maxBytes: number): DomainError | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  if (error.status >= 500) return null;
  if (error.status === 413)
    return new DomainError('body_too_large', `The body is too large: at most ${maxBytes / 1024} KiB are read.`);
  return unreadableRequest();
}
