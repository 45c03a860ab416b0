import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { rows } from './sql.ts';

/** The grid points at which prices of a round are stored, ascending. */
export interface QuotedPoints {
  readonly roundId: number;
  readonly points: readonly number[];
}

/** The same with the prices, each list in the order of the points. */
export interface StoredQuotes extends QuotedPoints {
  readonly prices: readonly (readonly number[])[];
  readonly highs: readonly (readonly number[])[];
  readonly lows: readonly (readonly number[])[];
}

/** A row for each of these rounds that any price is stored of. */
export async function quotedPoints(em: SqlEntityManager, rounds: readonly number[]): Promise<readonly QuotedPoints[]> {
  return rows<QuotedPoints>(em)`
    select round_id as "roundId", json_agg(point order by point) as points
    from round_quotes where round_id = any(${[...rounds]}) group by round_id`;
}

/** The same: one row a round, since thousands of small ones take many times as long to be read. */
export async function storedQuotes(em: SqlEntityManager, rounds: readonly number[]): Promise<readonly StoredQuotes[]> {
  return rows<StoredQuotes>(em)`
    select round_id as "roundId", json_agg(point order by point) as points, json_agg(prices order by point) as prices,
      json_agg(highs order by point) as highs, json_agg(lows order by point) as lows
    from round_quotes where round_id = any(${[...rounds]}) group by round_id`;
}
