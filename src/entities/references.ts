import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

import { appendOnly, belongsTo, numbers } from './table-parts.ts';
import { Round } from './round.ts';

/**
 * The prices of a round's assets at a grid point (`src/rules/grid.ts`), in USD and in the order of the round's assets:
 * the evidence of references.
 */
export const RoundQuote = defineEntity({
  name: 'RoundQuote',
  tableName: 'round_quotes',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    /** From 0, every 15 s; the prices at 0 are the open. */
    point: p.smallint().primary(),
    prices: numbers(),
    /** Highest and lowest seen since the hour began. */
    highs: numbers(),
    lows: numbers(),
  },
  triggers: [appendOnly('round_quotes')],
  checks: [
    { name: 'round_quotes_point_check', expression: 'point >= 0 and point < 240' },
    {
      name: 'round_quotes_lengths_check',
      expression: `cardinality(prices) >= 1 and cardinality(prices) <= 8 and cardinality(highs) = cardinality(prices)
        and cardinality(lows) = cardinality(prices)`,
    },
    {
      name: 'round_quotes_price_check',
      expression: `'0'::double precision < all (prices) and '0'::double precision < all (highs)
        and '0'::double precision < all (lows)`,
    },
  ],
});

export type RoundQuote = InferEntity<typeof RoundQuote>;

/** The inputs of a round's references beside its prices. */
export const ReferenceBasis = defineEntity({
  name: 'ReferenceBasis',
  tableName: 'reference_bases',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    /** The covariance of hourly log returns over the 168 hours before the round, row by row, all 8 assets. */
    covariance: numbers(),
    /** The sign of the subject's return in the hour before; null unless the question needs it and it is known. */
    signBefore: p.smallint().nullable(),
  },
  triggers: [appendOnly('reference_bases')],
  checks: [
    { name: 'reference_bases_covariance_check', expression: 'cardinality(covariance) = 64' },
    { name: 'reference_bases_sign_check', expression: "sign_before >= '-1'::integer and sign_before <= 1" },
  ],
});
