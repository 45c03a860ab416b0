import type { IncomingMessage, Server } from 'node:http';

import type { Express } from 'express';
import { type GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import proxyAddress from 'proxy-addr';

import { Round } from './entities/round.ts';
import { countConnections } from './feed/connections.ts';
import { eventStreams } from './feed/event-stream.ts';
import type { Feed } from './feed/feed.ts';
import { openHub } from './feed/hub.ts';
import { INTERVALS, type Intervals } from './feed/intervals.ts';
import { type SocketOperationNeeds, socketOperations } from './feed/socket-operations.ts';
import { ANSWER_MS } from './limits.ts';
import { within } from './patience.ts';
import { underWay } from './under-way.ts';
import { openWebSockets } from './feed/web-socket.ts';
import type { StreamRoute } from './rest/router.ts';
import { makeContext, type Services } from './resolvers/context.ts';
import { OWN_FIELDS } from './resolvers/own-fields.ts';

export interface LiveNeeds {
  readonly app: Express;
  readonly server: Server;
  readonly schema: GraphQLSchema;
  readonly services: Services;
  readonly feed: Feed;
  readonly check: SocketOperationNeeds['check'];
  readonly format: (error: GraphQLError) => GraphQLFormattedError;
  /** How often the feed does what it does by itself, where that is not the usual. */
  readonly intervals?: Partial<Intervals> | undefined;
  /** Open connections of one address, where that is not the usual. */
  readonly connectionsPerAddress?: number | undefined;
  readonly report: (error: unknown) => void;
}

export interface Live {
  readonly eventStream: StreamRoute;
  /** Open connections, by door. */
  readonly subscribers: () => Readonly<Record<'websocket' | 'events', number>>;
  /** Sends every client away, so that it comes back to a running process. */
  close(): Promise<void>;
}

/** The live feed's doors: GraphQL over WebSocket and server-sent events, on the server's own port. */
export function openLive(needs: LiveNeeds): Live {
  const { app, server, services, feed, report } = needs;
  const { clock } = services;
  const connections = countConnections(needs.connectionsPerAddress);
  const work = underWay();
  const intervals = { ...INTERVALS, ...needs.intervals };
  const hub = openHub({
    feed,
    clock,
    intervals,
    countEntries: () => within(ANSWER_MS, () => countEntries(services)),
    work,
    report,
  });
  const streams = eventStreams({ feed, clock, connections, intervals });
  const sockets = openWebSockets(server, {
    connections,
    intervals,
    addressOf: (request: IncomingMessage) => proxyAddress(request, app.get('trust proxy fn')),
    options: socketOperations({
      schema: needs.schema,
      hub,
      check: needs.check,
      ownFields: OWN_FIELDS,
      newContext: (caller) => makeContext(services, caller),
      formatErrors: (errors) => errors.map(needs.format),
      work,
      report,
    }),
    report,
  });
  return {
    eventStream: { path: '/api/events', limit: 'currentRound', answer: streams.answer },
    subscribers: () => ({ websocket: sockets.count(), events: streams.count() }),
    async close() {
      streams.close();
      await sockets.close();
      hub.stop();
      await work.idle();
    },
  };
}

async function countEntries({ newEm }: Services) {
  const active = await newEm().findOne(Round, { status: 'active' }, { fields: ['id', 'totalEntries'] });
  return active === null ? null : { roundId: active.id, totalEntries: active.totalEntries };
}
