import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** One connection for requests one after the other. It allocates little, unlike `fetch`. */
export interface KeptConnection extends Disposable {
  /** Returns the answer, head included, as bytes. */
  ask(request: string): Promise<Buffer>;
}

export async function keptConnection(url: string): Promise<KeptConnection> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
  let pieces: Buffer[] = [];
  let missing = Number.NaN;
  let waiting: PromiseWithResolvers<Buffer> | undefined;
  socket.once('close', () => waiting?.reject(new Error('The service closed a connection')));
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    missing = pieces.length === 1 ? missingAfter(piece) : missing - piece.length;
    const isWhole = Number.isNaN(missing)
      ? piece.subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK))
      : missing <= 0;
    if (!isWhole) return;
    const [whole] = pieces.length === 1 ? pieces : [Buffer.concat(pieces)];
    pieces = [];
    waiting?.resolve(whole ?? piece);
  });
  await once(socket, 'connect');
  return {
    ask(request) {
      waiting = Promise.withResolvers<Buffer>();
      socket.write(request);
      return waiting.promise;
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** NaN for a body in chunks. */
function missingAfter(first: Buffer): number {
  const end = first.indexOf(HEAD_END);
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(first.toString('latin1', 0, end)) ?? [];
  return Number(length) - (first.length - end - HEAD_END.length);
}
