import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';

/** A server of the test's own on a port that is free. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** For one of HTTP. */
  readonly url: string;
}

/** Lets the server listen; it goes at the end, with the connections that it has. */
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
      // One whose bytes nobody reads would never notice that its other end is gone.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
