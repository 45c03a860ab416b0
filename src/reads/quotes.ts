import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder } from 'kysely';

import type { DB, Row } from '../entities/tables.ts';
import { anyOf } from './fragments.ts';

/** Rounds that have stored prices, each with its grid points, ascending. */
export async function quotedPoints(em: SqlEntityManager, rounds: readonly number[]) {
  return quotesOf(em, rounds).select('round_id as roundId').select(inOrder('point').as('points')).execute();
}

/** The same with the prices at each point. They come as one row a round: thousands of small rows take long to parse. */
export async function storedQuotes(em: SqlEntityManager, rounds: readonly number[]) {
  return quotesOf(em, rounds)
    .select('round_id as roundId')
    .select([inOrder('point').as('points'), inOrder('prices').as('prices')])
    .select([inOrder('highs').as('highs'), inOrder('lows').as('lows')])
    .execute();
}

function quotesOf(em: SqlEntityManager, rounds: readonly number[]) {
  const quotes = em.getKysely<DB>().selectFrom('round_quotes');
  return quotes.where('round_id', '=', anyOf(rounds)).groupBy('round_id');
}

/** The values of a column in the order of the points. */
function inOrder<Name extends 'point' | 'prices' | 'highs' | 'lows'>(name: Name) {
  const { fn } = expressionBuilder<DB, 'round_quotes'>();
  return fn.agg<Row<'round_quotes'>[Name][]>('json_agg', [name]).orderBy('point');
}
