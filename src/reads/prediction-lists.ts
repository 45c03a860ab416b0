import { sql, type RawBuilder } from 'kysely';

import { byAlias } from './plan/by-alias.ts';
import { byAge, type ListOrder, orderOf, type PagedList } from './paging.ts';
import { type PredictionFilter, predictionConditions, searchConditions } from './prediction-filter.ts';
import { type RoundFilter, roundConditions } from './rounds.ts';
import { every } from './sql.ts';
import { SCORES } from './scores.ts';

export type PredictionOrder = 'OLDEST' | 'NEWEST';

export type RoundPredictionOrder = PredictionOrder | 'PLACE' | 'PLACE_LAST';

const { p, r, f } = byAlias({ p: 'predictions', r: 'rounds', f: 'scores' });

/** Ids ascend with the submissions: a round takes one group of predictions after the other (prediction-writer.ts). */
const ID = { column: p('id'), kind: 'wide' } as const;

/** Rounds follow each other, so that among all predictions their round comes before their id. */
const ROUND = { column: r('id'), kind: 'integer' } as const;

const PLACE = { column: f('place'), kind: 'integer' } as const;

/** Of a prediction `p`, by its key (`offset 0`): PostgreSQL would read all scores of a round where it may be corrected. */
export const SCORE_OF_PREDICTION: RawBuilder<unknown> = sql`left join lateral (
    select * from ${SCORES} g where g.round_id = p.round_id and g.agent_id = p.agent_id offset 0
  ) s on true`;

/** There is always one; asked for this way, PostgreSQL leaves it out where nothing of it is wanted. */
export const AGENT_OF_PREDICTION: RawBuilder<unknown> = sql`left join agents a on a.id = p.agent_id`;

const ROUND_ORDERS: Readonly<Record<RoundPredictionOrder, ListOrder>> = {
  ...byAge('predictions', ID),
  PLACE: { name: 'predictions PLACE', columns: [{ ...PLACE, descending: false }] },
  PLACE_LAST: { name: 'predictions PLACE_LAST', columns: [{ ...PLACE, descending: true }] },
};

/** An agent's predictions come round by round, one of each: the order of their ids. */
const AGENT_ORDERS = byAge('predictions of an agent', { ...ROUND, column: sql`o.round_id` });

const FIELD_ORDERS = byAge('all predictions', ROUND, ID);

/** The predictions of a round, which is the parent. By place come the scored ones alone. */
export function predictionsOfRound(filter: PredictionFilter, orderBy: RoundPredictionOrder): PagedList {
  const isByPlace = orderBy === 'PLACE' || orderBy === 'PLACE_LAST';
  return {
    from: isByPlace ? fromPlaces : fromPredictions,
    conditions: [
      isByPlace ? sql`f.round_id = parent.id` : sql`p.round_id = parent.id`,
      ...predictionConditions(filter),
    ],
    order: ROUND_ORDERS[orderBy],
  };
}

/** The predictions of an agent, which is the parent. */
export function predictionsOfAgent(filter: PredictionFilter & RoundFilter, orderBy: PredictionOrder): PagedList {
  const ofRound = roundConditions(filter);
  return {
    from: () => fromAgent(orderBy),
    conditions: [
      ...predictionConditions(filter),
      ...(ofRound.length === 0
        ? []
        : [sql`exists (select from rounds r where r.id = p.round_id and ${every(ofRound)})`]),
    ],
    order: AGENT_ORDERS[orderBy],
  };
}

/**
 * The predictions of everybody; the parent is any one number. They are read round by round, at most `limit` of each, so
 * that a filter on rounds costs nothing for the rounds that it leaves out. Throws `BAD_REQUEST` for a search that is not
 * bounded.
 */
export function predictionsOfAll(
  filter: PredictionFilter & RoundFilter,
  { orderBy, limit, now }: { readonly orderBy: PredictionOrder; readonly limit: number; readonly now: Date },
): PagedList {
  const order = FIELD_ORDERS[orderBy];
  const within = predictionConditions(filter);
  return {
    from: (place) => sql`rounds r cross join lateral (
      select p.* from predictions p ${SCORE_OF_PREDICTION}
      where ${every([sql`p.round_id = r.id`, ...within, place])}
      order by ${orderOf(order)} limit ${sql.lit(limit)}
    ) p ${AGENT_OF_PREDICTION} ${SCORE_OF_PREDICTION}`,
    conditions: [...roundConditions(filter), ...searchConditions(filter, filter, now)],
    order,
  };
}

function fromPredictions(): RawBuilder<unknown> {
  return sql`predictions p ${AGENT_OF_PREDICTION} ${SCORE_OF_PREDICTION}`;
}

/**
 * The rounds `o` that the agent, which is the parent, predicted, and its predictions there by their key. Resolution wrote
 * those that have scores into an index by agent; the others, open and void, are few enough to be looked up each. An index
 * of predictions by agent would touch a page of its own for every prediction that is accepted. Kept apart by `offset 0`:
 * where few predict many rounds PostgreSQL would look through all of their predictions for the agent's instead.
 */
function fromAgent(orderBy: PredictionOrder): RawBuilder<unknown> {
  const direction = sql.raw(orderBy === 'NEWEST' ? 'desc' : 'asc');
  return sql`(
      select round_id from (
        (select t.round_id from ${SCORES} t where t.agent_id = parent.id order by t.round_id ${direction})
        union all
        (select u.id from rounds u
        where u.status <> 'resolved' and exists (select from predictions q where q.round_id = u.id and q.agent_id = parent.id)
        order by u.id ${direction})
      ) either order by round_id ${direction}
    ) o
    cross join lateral (
      select * from predictions where round_id = o.round_id and agent_id = parent.id offset 0
    ) p ${AGENT_OF_PREDICTION} ${SCORE_OF_PREDICTION}`;
}

/**
 * Each prediction by its key (`offset 0`): PostgreSQL takes every round for one of usual size, and would join and sort all of a
 * large one for its first page. The places `f` are those that the first decision gave, whoever has them now: a correction hands
 * them round.
 */
function fromPlaces(): RawBuilder<unknown> {
  return sql`scores f cross join lateral (
      select * from ${SCORES} g where g.round_id = f.round_id and g.agent_id = coalesce((
        select c.agent_id from corrected_scores c where c.round_id = f.round_id and c.place = f.place), f.agent_id) offset 0
    ) s cross join lateral (
      select * from predictions where round_id = s.round_id and agent_id = s.agent_id offset 0
    ) p ${AGENT_OF_PREDICTION}`;
}
