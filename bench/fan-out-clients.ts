import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { WebSocket } from 'ws';

/**
 * The subscribers of the fan-out benchmark, in a process of their own, so that they take nothing of the server's event
 * loop. Told to connect, it connects; then it tells of each broadcast when it reached the clients.
 */
export interface Connect {
  readonly side: string;
  readonly url: string;
  readonly count: number;
  /** What each subscribes to, and by which id; without one each has its own, as clients usually do. Null: it listens. */
  readonly subscription: { readonly query: string; readonly id: string | null } | null;
}

export type Told =
  | { readonly kind: 'connected'; readonly side: string }
  /** Instants of `process.hrtime`, which all processes of a machine share. */
  | {
      readonly kind: 'received';
      readonly side: string;
      readonly p50: number;
      readonly p99: number;
      readonly last: number;
    };

/** How many connect at the same time. */
const AT_ONCE = 100;

process.on('message', (message: Connect) => {
  connectAll(message).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});

async function connectAll(connect: Connect): Promise<void> {
  const receipts = receiptsOf(connect);
  for (let made = 0; made < connect.count; made += AT_ONCE) {
    const some = Math.min(AT_ONCE, connect.count - made);
    await Promise.all(Array.from({ length: some }, () => subscriber(connect, receipts)));
  }
  tell({ kind: 'connected', side: connect.side });
}

/** Resolves when the subscriber hears what is broadcast from then on. */
async function subscriber({ url, subscription }: Connect, onMessage: () => void): Promise<void> {
  const socket = new WebSocket(url, subscription === null ? [] : ['graphql-transport-ws'], {
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  if (subscription !== null) {
    socket.send('{"type":"connection_init"}');
    await once(socket, 'message');
    socket.send(
      JSON.stringify({
        id: subscription.id ?? randomUUID(),
        type: 'subscribe',
        payload: { query: subscription.query },
      }),
    );
    // The heartbeat with which a subscription begins.
    await once(socket, 'message');
  }
  socket.on('message', onMessage);
}

/** Notes when each client has a broadcast, and tells when all have it. */
function receiptsOf({ side, count }: Connect): () => void {
  const instants = new Float64Array(count);
  let received = 0;
  return () => {
    instants[received] = Number(process.hrtime.bigint());
    received += 1;
    if (received < count) return;
    received = 0;
    const at = (share: number): number => instants[Math.ceil(count * share) - 1] ?? 0;
    tell({ kind: 'received', side, p50: at(0.5), p99: at(0.99), last: at(1) });
  };
}

function tell(told: Told): void {
  process.send?.(told);
}
