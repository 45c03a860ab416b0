import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';

/** A test's server on a free port. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/** The server and its connections close at the end. */
export async function listening(server: Server | HttpServer): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      // A connection with unread bytes would never notice that its peer is gone.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
