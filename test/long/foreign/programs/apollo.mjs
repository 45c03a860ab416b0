import { createHash } from 'node:crypto';

import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';

import { authorization, play, url } from './common.mjs';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const hashed = new PersistedQueryLink({ sha256, useGETForHashedQueries: true });
const link = hashed.concat(new HttpLink({ uri: `${url}/graphql`, headers: { authorization } }));
const newClient = () => new ApolloClient({ link, cache: new InMemoryCache() });
await play(
  async (query) => {
    const first = await newClient().query({ query: gql(query) });
    // The second time the hash alone suffices.
    const second = await newClient().query({ query: gql(query) });
    if (JSON.stringify(first.data) !== JSON.stringify(second.data)) throw new Error('Two answers must be equal');
    return second.data;
  },
  async (mutation, variables) => (await newClient().mutate({ mutation: gql(mutation), variables })).data,
);
