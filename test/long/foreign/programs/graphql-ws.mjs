import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { authorization, EVENTS, play, say, url } from './common.mjs';

const client = createClient({
  url: `${url.replace('http', 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  // As Apollo's documents have it.
  connectionParams: { headers: { Authorization: authorization } },
  shouldRetry: () => true,
  retryAttempts: Infinity,
});
const once = async (query, variables) => {
  for await (const { data, errors } of client.iterate({ query, variables })) {
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }
};
await play(once, once);
const variables = { after: 0 };
client.subscribe(
  { query: EVENTS, variables },
  {
    next({ data: { events } }) {
      if (events.kind === 'HEARTBEAT') return;
      variables.after = events.seq;
      say({ seq: events.seq });
    },
    error: (error) => say({ error: String(error) }),
    complete() {},
  },
);
