import { type RawBuilder, sql } from 'kysely';

import { every, orderOf, type PagedList } from './keyset.ts';
import { type PredictionFilter, predictionConditions } from './prediction-filter.ts';
import { AGENT_ORDERS, FIELD_ORDERS, ROUND_ORDERS } from './prediction-orders.ts';
import { AGENT_OF_PREDICTION, PREDICTION_COLUMNS, type PredictionRow, SCORE_OF_PREDICTION } from './prediction-rows.ts';
import { type RoundFilter, roundConditions } from './round-filter.ts';
import type { PredictionOrder, RoundPredictionOrder } from './schema-types.ts';

type List = PagedList<PredictionRow>;

/** The predictions of a round, which is the parent. By place come the scored ones alone. */
export function predictionsOfRound(filter: PredictionFilter, orderBy: RoundPredictionOrder): List {
  return {
    columns: PREDICTION_COLUMNS,
    from: orderBy === 'PLACE' ? fromPlaces : fromPredictions,
    conditions: [
      orderBy === 'PLACE' ? sql`s.round_id = parent.id` : sql`p.round_id = parent.id`,
      ...predictionConditions(filter),
    ],
    order: ROUND_ORDERS[orderBy],
  };
}

/** The predictions of an agent, which is the parent. */
export function predictionsOfAgent(filter: PredictionFilter & RoundFilter, orderBy: PredictionOrder): List {
  const ofRound = roundConditions(filter);
  return {
    columns: PREDICTION_COLUMNS,
    from: fromPredictions,
    conditions: [
      sql`p.agent_id = parent.id`,
      ...predictionConditions(filter),
      ...(ofRound.length === 0
        ? []
        : [sql`exists (select from rounds r where r.id = p.round_id and ${every(ofRound)})`]),
    ],
    order: AGENT_ORDERS[orderBy],
  };
}

/**
 * The predictions of everybody; the parent is any one number. They are read round by round, at most `most` of each, so
 * that a filter on rounds costs nothing for the rounds that it leaves out.
 */
export function predictionsOfAll(
  filter: PredictionFilter & RoundFilter,
  { orderBy, most }: { readonly orderBy: PredictionOrder; readonly most: number },
): List {
  const order = FIELD_ORDERS[orderBy];
  const within = predictionConditions(filter);
  return {
    columns: PREDICTION_COLUMNS,
    from: (place) => sql`rounds r cross join lateral (
      select p.* from predictions p ${SCORE_OF_PREDICTION}
      where ${every([sql`p.round_id = r.id`, ...within, place])}
      order by ${orderOf(order, ({ column }) => column)} limit ${most}
    ) p ${AGENT_OF_PREDICTION} ${SCORE_OF_PREDICTION}`,
    conditions: roundConditions(filter),
    order,
  };
}

function fromPredictions(): RawBuilder<unknown> {
  return sql`predictions p ${AGENT_OF_PREDICTION} ${SCORE_OF_PREDICTION}`;
}

function fromPlaces(): RawBuilder<unknown> {
  return sql`scores s join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id ${AGENT_OF_PREDICTION}`;
}
