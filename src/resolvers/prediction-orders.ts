import { sql } from 'kysely';

import type { ListOrder } from './keyset.ts';
import type { PredictionRow } from './prediction-rows.ts';
import type { PredictionOrder, RoundPredictionOrder } from './schema-types.ts';

/** Ids ascend with the submissions: a round takes one group of predictions after the other (prediction-writer.ts). */
const ID = { column: sql`p.id`, kind: 'integer', property: 'id', of: ({ id }: PredictionRow) => id } as const;

/** Rounds follow each other, so that among all predictions their round comes before their id. */
const ROUND = {
  column: sql`r.id`,
  kind: 'integer',
  property: 'roundId',
  of: ({ roundId }: PredictionRow) => roundId,
} as const;

const PLACE = {
  column: sql`s.place`,
  kind: 'integer',
  property: 'place',
  of: ({ place }: PredictionRow) => place ?? 0,
} as const;

type Orders<Name extends string> = Readonly<Record<Name, ListOrder<PredictionRow>>>;

export const ROUND_ORDERS: Orders<RoundPredictionOrder> = {
  OLDEST: { name: 'predictions OLDEST', columns: [{ ...ID, descending: false }] },
  NEWEST: { name: 'predictions NEWEST', columns: [{ ...ID, descending: true }] },
  PLACE: { name: 'predictions PLACE', columns: [{ ...PLACE, descending: false }] },
};

export const AGENT_ORDERS: Orders<PredictionOrder> = { OLDEST: ROUND_ORDERS.OLDEST, NEWEST: ROUND_ORDERS.NEWEST };

export const FIELD_ORDERS: Orders<PredictionOrder> = {
  OLDEST: {
    name: 'all predictions OLDEST',
    columns: [
      { ...ROUND, descending: false },
      { ...ID, descending: false },
    ],
  },
  NEWEST: {
    name: 'all predictions NEWEST',
    columns: [
      { ...ROUND, descending: true },
      { ...ID, descending: true },
    ],
  },
};
