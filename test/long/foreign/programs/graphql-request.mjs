import { GraphQLClient } from 'graphql-request';

import { authorization, play, url } from './common.mjs';

const byGet = new GraphQLClient(`${url}/graphql`, { method: 'GET' });
const client = new GraphQLClient(`${url}/graphql`, { headers: { authorization } });
await play(
  (query) => byGet.request(query),
  (mutation, variables) => client.request(mutation, variables),
);
