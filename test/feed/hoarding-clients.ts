import { once } from 'node:events';

import { WebSocket } from 'ws';

import { FEED_LIMITS } from '../../src/limits.ts';
import { BULK } from '../support/bulk.ts';
import { socketUrl } from '../support/socket-client.ts';

/* Clients of one address that have the service keep as much as they can: a program of its own, so that it slows nobody but itself. */

export interface Hoard {
  readonly url: string;
  readonly sockets: number;
  readonly subscriptions: number;
}

/** How many sockets are open in the end, and with which codes and sentences the others were closed. */
export interface Hoarded {
  readonly open: number;
  readonly closed: Readonly<Record<string, number>>;
  readonly refused: number;
}

const AT_ONCE = 10;
const SUBSCRIPTION = 'subscription { leaderboardUpdated { period } }';

process.once('message', (hoard: Hoard) => {
  void run(hoard).then((hoarded) => process.send?.(hoarded));
});

async function run({ url, sockets, subscriptions }: Hoard): Promise<Hoarded> {
  const closed: Record<string, number> = {};
  const open = new Set<WebSocket>();
  let refused = 0;
  const begin = async (init: object): Promise<WebSocket> => {
    const socket = new WebSocket(socketUrl(url), 'graphql-transport-ws');
    open.add(socket);
    socket.on('error', () => {});
    const end = once(socket, 'close');
    socket.once('close', (code, reason) => {
      open.delete(socket);
      const why = `${code} ${reason.toString()}`;
      closed[why] = (closed[why] ?? 0) + 1;
    });
    await Promise.race([once(socket, 'open'), end]);
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'connection_init', payload: init }));
    await Promise.race([once(socket, 'message'), end]);
    socket.on('message', (data: Buffer) => {
      const { type }: { readonly type: string } = JSON.parse(data.toString());
      if (type === 'error') refused += 1;
    });
    return socket;
  };
  const subscribers: WebSocket[] = [];
  for (let begun = 0; begun < subscriptions; begun += FEED_LIMITS.subscriptionsPerSocket) {
    const socket = await begin({});
    subscribers.push(socket);
    for (let id = 0; id < FEED_LIMITS.subscriptionsPerSocket; id += 1) {
      const payload = { query: SUBSCRIPTION, extensions: { bulk: BULK } };
      socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload }));
      await once(socket, 'message');
    }
  }
  for (let begun = 0; begun < sockets; begun += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => begin({ bulk: BULK })));
  return { open: open.size, closed, refused };
}
