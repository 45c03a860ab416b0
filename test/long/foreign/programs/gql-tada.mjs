import { GraphQLClient } from 'graphql-request';
import { graphql } from 'gql.tada';

import { authorization, play, url } from './common.mjs';

const client = new GraphQLClient(`${url}/graphql/`, { headers: { authorization } });
await play(
  (query) => client.request(graphql(query)),
  (mutation, variables) => client.request(graphql(mutation), variables),
);
