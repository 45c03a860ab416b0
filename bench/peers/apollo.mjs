// Apollo Server 5 on Express 5 by default, with a round from memory.
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';

import { listening } from './listening.mjs';

const typeDefs = `
  type Round { id: Int! question: String! questionType: String! status: String! totalEntries: Int! startTime: String! }
  type ScheduledRound { startTime: String! questionType: String! }
  type Query { currentRound: Round schedule(hours: Int = 24): [ScheduledRound!]! }`;
const round = {
  id: 4711,
  question: 'Will BTC outperform ETH over the next hour?',
  questionType: 'relative',
  status: 'active',
  totalEntries: 12345,
  startTime: '2026-11-20T10:00:00.000Z',
};
const hours = Array.from({ length: 168 }, (_, n) => ({
  startTime: new Date(n).toISOString(),
  questionType: 'relative',
}));
const resolvers = {
  Query: { currentRound: () => round, schedule: (_root, args) => hours.slice(0, args.hours) },
};
const server = new ApolloServer({ typeDefs, resolvers });
await server.start();
const app = express();
app.use('/graphql', express.json(), expressMiddleware(server));
listening(app.listen(0, '127.0.0.1'));
