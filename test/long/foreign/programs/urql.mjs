import { Client, fetchExchange } from '@urql/core';

import { authorization, play, url } from './common.mjs';

const client = new Client({
  url: `${url}/graphql`,
  exchanges: [fetchExchange],
  fetchOptions: { headers: { authorization } },
});
const dataOf = ({ data, error }) => {
  if (error) throw error;
  return data;
};
await play(
  async (query) => dataOf(await client.query(query, {})),
  async (mutation, variables) => dataOf(await client.mutation(mutation, variables)),
);
