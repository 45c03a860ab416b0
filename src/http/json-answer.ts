import type { Response } from 'express';

interface JsonAnswer {
  readonly text: string;
  /** How the text's characters become bytes; UTF-8 unless given. */
  readonly encoding?: 'utf8' | 'latin1';
  /** Unset: worked out from the text. */
  readonly etag?: string;
}

/**
 * Sends what Express's `json` would send, or its 304. That makes a buffer of the text, which Node sends apart from the head;
 * head and text as one string take one write, which costs half as much.
 */
export function sendJson(response: Response, { text, encoding = 'utf8', etag }: JsonAnswer): void {
  const { req: request, app } = response;
  response.setHeader('ETag', etag ?? app.get('etag fn')(text, encoding));
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text, encoding));
  if (request.method === 'HEAD') response.end();
  else response.end(text, encoding);
}
