import { connect, createServer, type Socket } from 'node:net';

import { listening } from '../support/listening.ts';

/** Stands between a client and the service, and can cut all that runs through it. */
export interface CutProxy extends AsyncDisposable {
  readonly url: string;
  cut(): void;
}

export async function cutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    client.pipe(upstream).pipe(client);
  });
  const listens = await listening(server);
  return {
    url: listens.url,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await listens[Symbol.asyncDispose]();
    },
  };
}
