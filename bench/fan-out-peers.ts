import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { makeExecutableSchema } from '@graphql-tools/schema';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

import { boardRows, now, type Side } from './fan-out-side.ts';

const ID_OF_ALL = '00000000-0000-4000-8000-000000000000';

/** The minimal broadcast: without GraphQL, subscriptions or care for slow readers. */
export async function rawWs(): Promise<Side> {
  const server = createServer();
  const sockets = new WebSocketServer({
    server,
    perMessageDeflate: false,
    handleProtocols: ([first]) => first ?? false,
  });
  sockets.on('connection', (socket) => {
    socket.on('message', () => socket.send('{"type":"connection_ack"}'));
  });
  let event = 0;
  return {
    url: await urlOf(server),
    query: '',
    async publish() {
      event += 1;
      const began = now();
      const events = { seq: event, kind: 'LEADERBOARD_CHANGED', at: '2026-01-01T12:10:00.000Z', roundId: null };
      const payload = { data: { events: { ...events, payload: { rows: boardRows(event) } } } };
      const frame = Buffer.from(JSON.stringify({ id: ID_OF_ALL, type: 'next', payload }));
      for (const socket of sockets.clients) socket.send(frame, { binary: false });
      return began;
    },
  };
}

const TYPES = /* GraphQL */ `
  type Row {
    rank: Int!
    name: String!
    points: Int!
    winRate: Float!
  }
  type Board {
    seq: Int!
    kind: String!
    at: String!
    rows: [Row!]!
  }
  type Query {
    nothing: Int
  }
  type Subscription {
    board: Board!
  }
`;

/** graphql-ws by default: it executes and serializes for each subscriber. */
export async function graphqlWs(): Promise<Side> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, path: '/graphql', perMessageDeflate: false });
  const waiting = new Set<(board: object) => void>();
  async function* boards() {
    yield { seq: 0, kind: 'HEARTBEAT', at: '', rows: [] };
    for (;;) {
      const { promise, resolve } = Promise.withResolvers<object>();
      waiting.add(resolve);
      yield await promise;
    }
  }
  const resolvers = { Subscription: { board: { subscribe: boards, resolve: (board: object) => board } } };
  useServer({ schema: makeExecutableSchema({ typeDefs: TYPES, resolvers }) }, sockets);
  let event = 0;
  return {
    url: `${await urlOf(server)}graphql`,
    query: 'subscription { board { seq kind at rows { rank name points winRate } } }',
    async publish() {
      event += 1;
      const began = now();
      const board = { seq: event, kind: 'LEADERBOARD_CHANGED', at: '2026-01-01T12:10:00.000Z', rows: boardRows(event) };
      const all = [...waiting];
      waiting.clear();
      for (const resolve of all) resolve(board);
      return began;
    },
  };
}

async function urlOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  const { port }: AddressInfo = Object(server.address());
  return `ws://127.0.0.1:${port}/`;
}
