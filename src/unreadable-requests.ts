import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

const TOO_LARGE = { status: 431, message: 'The address and headers are too large: at most 16 KiB are read.' };
const TOO_SLOW = { status: 408, message: 'The request did not arrive in time.' };
const BROKEN = { status: 400, message: 'The request is not valid HTTP.' };

/** What Node's parser says of a request that it gives up on. */
const ANSWERS: Readonly<Record<string, typeof BROKEN>> = {
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

/** Answers requests that never reach Express as everything else is answered: with `{"error": ...}`. */
export function answerUnreadable(server: Server, onAnswer: (status: number) => void): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { status, message } = ANSWERS[error.code ?? ''] ?? BROKEN;
    onAnswer(status);
    const body = JSON.stringify({ error: message });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
