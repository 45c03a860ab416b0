import { type Expression, expressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';

import type { Row } from '../entities/tables.ts';
import { MAX_ID } from '../limits.ts';
import { type AliasedTables, compiled, tablesOf } from './fragments.ts';
import { byAlias } from './plan/by-alias.ts';
import { byAge, type ListOrder, orderOf, type PagedList } from './paging.ts';
import { type PredictionFilter, predictionConditions, searchConditions } from './prediction-filter.ts';
import { type RoundFilter, roundConditions } from './rounds.ts';
import { SCORE_COLUMNS, SCORES } from './scores.ts';

export type PredictionOrder = 'OLDEST' | 'NEWEST';

export type RoundPredictionOrder = PredictionOrder | 'PLACE' | 'PLACE_LAST';

const { p, r, f, s } = byAlias({ p: 'predictions', r: 'rounds', f: 'scores', s: 'scores' });

/** Ids ascend with the submissions of a round (prediction-writer.ts). */
const ID = { column: p('id'), kind: 'wide' } as const;

/** Predictions of several rounds are ordered by round before id. */
const ROUND = { column: r('id'), kind: 'integer' } as const;

const PLACE = { column: f('place'), kind: 'integer' } as const;

const ROUND_ORDERS: Readonly<Record<RoundPredictionOrder, ListOrder>> = {
  ...byAge('predictions', ID),
  PLACE: { name: 'predictions PLACE', columns: [{ ...PLACE, descending: false }] },
  PLACE_LAST: { name: 'predictions PLACE_LAST', columns: [{ ...PLACE, descending: true }] },
};

/** An agent has one prediction a round: their rounds are in the order of their ids. */
const AGENT_ORDERS = byAge('predictions of an agent', { ...ROUND, column: s('round_id') });

const FIELD_ORDERS = byAge('all predictions', ROUND, ID);

type Tables = AliasedTables<{ p: 'predictions'; r: 'rounds'; f: 'scores'; s: 'scores' }> & { parent: { id: number } };

const is = expressionBuilder<Tables, 'p' | 'r' | 'f' | 's' | 'parent'>();

const always = <On extends { onTrue: () => On }>(on: On) => on.onTrue();

/**
 * The score `s` of a prediction `p`. Without `offset 0` PostgreSQL reads all scores of an amended round, not one by its key. A
 * round that is the same for all predictions selects the month's table once.
 */
function scoreByKey(round: 'p.round_id' | 'parent.id') {
  const ofRound = is.selectFrom(SCORES.as('g')).selectAll().whereRef('g.round_id', '=', round);
  return compiled(ofRound.whereRef('g.agent_id', '=', 'p.agent_id').offset(is.lit(0))).as('s');
}

const SCORE_BY_KEY = scoreByKey('p.round_id');

/** Predictions `p`, each with its agent `a` and score `s`. An outer join of which nothing is read costs nothing. */
export const PREDICTIONS = predictionsWith(SCORE_BY_KEY);

/** `PREDICTIONS` with the scores of the parent round. */
const OF_ROUND = predictionsWith(scoreByKey('parent.id'));

function predictionsWith(score: typeof SCORE_BY_KEY) {
  return compiled(
    tablesOf(
      is
        .selectFrom('predictions as p')
        .leftJoin('agents as a', 'a.id', 'p.agent_id')
        .leftJoinLateral(() => score, always),
    ),
  );
}

/** The prediction `p` of an agent in the round of a score `s`, read by its key (`offset 0`). */
function predictionBy(agent: 's.agent_id' | 'parent.id') {
  const ofRound = is.selectFrom('predictions as p').selectAll().whereRef('p.round_id', '=', 's.round_id');
  return ofRound.whereRef('p.agent_id', '=', agent).offset(is.lit(0)).as('p');
}

/** The columns of `SCORES` behind the id of a round. */
const WITHOUT_SCORE = SCORE_COLUMNS.slice(1).map((name) => sql.lit(null).as(name));

const BY_AGENT: Readonly<Record<PredictionOrder, RawBuilder<unknown>>> = {
  OLDEST: byAgent('asc'),
  NEWEST: byAgent('desc'),
};

/**
 * The rounds that the agent predicted with its scores `s` there, and its predictions by key. An index has the resolved ones; the
 * others are few enough for a probe each. An index of predictions by agent would write a page for each prediction. Without
 * `offset 0`, where few agents predict many rounds, PostgreSQL would read all predictions of them.
 */
function byAgent(direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const scored = is
    .selectFrom(SCORES.as('t'))
    .selectAll()
    .whereRef('t.agent_id', '=', 'parent.id')
    .orderBy('t.round_id', direction);
  const own = is.selectFrom('predictions as q').whereRef('q.agent_id', '=', 'parent.id');
  const unscored = is
    .selectFrom('rounds as u')
    .select('u.id')
    .select(WITHOUT_SCORE)
    .where('u.status', '<>', sql.lit('resolved'))
    .where((u) => u.exists(own.whereRef('q.round_id', '=', u.ref('u.id'))))
    .orderBy('u.id', direction);
  const either = sql<Row<'scores'>>`(${scored} union all ${unscored})`.as('either');
  return compiled(
    tablesOf(
      is
        .selectFrom(is.selectFrom(either).selectAll().orderBy('round_id', direction).as('s'))
        .crossJoinLateral(() => predictionBy('parent.id'))
        .leftJoin('agents as a', 'a.id', 'p.agent_id'),
    ),
  );
}

/**
 * The predictions in the order of the places `f` of the first decision; an amendment may give a place to another agent. Only
 * in an amended round is a score looked up again. Each prediction is read by its key (`offset 0`): PostgreSQL estimates
 * every round at the usual size, and would sort all of a large one.
 */
const BY_PLACE = compiled(
  tablesOf(
    is
      .selectFrom('scores as f')
      .crossJoinLateral((first) => {
        const now = first.selectFrom('corrected_scores as c').whereRef('c.round_id', '=', 'parent.id');
        const amended = first
          .selectFrom(SCORES.as('g'))
          .selectAll()
          .whereRef('g.round_id', '=', 'f.round_id')
          .where(
            'g.agent_id',
            '=',
            first.fn.coalesce(now.select('c.agent_id').whereRef('c.place', '=', 'f.place'), 'f.agent_id'),
          );
        return sql<Row<'scores'>>`(select ${sql.join(SCORE_COLUMNS.map((name) => f(name)))}
          where ${first.not(first.exists(now))} union all ${amended} limit 1)`.as('s');
      })
      .crossJoinLateral(() => predictionBy('s.agent_id'))
      .leftJoin('agents as a', 'a.id', 'p.agent_id'),
  ),
);

const IN_ROUND = compiled(is('p.round_id', '=', is.ref('parent.id')));
const PLACE_IN_ROUND = compiled(is('f.round_id', '=', is.ref('parent.id')));

/** The predictions of a round, the parent. An order by place has only those with scores. */
export function predictionsOfRound(filter: PredictionFilter, orderBy: RoundPredictionOrder): PagedList {
  const isByPlace = orderBy === 'PLACE' || orderBy === 'PLACE_LAST';
  return {
    from: () => (isByPlace ? BY_PLACE : OF_ROUND),
    conditions: [isByPlace ? PLACE_IN_ROUND : IN_ROUND, ...predictionConditions(filter)],
    order: ROUND_ORDERS[orderBy],
  };
}

/** The predictions of an agent, the parent. */
export function predictionsOfAgent(filter: PredictionFilter & RoundFilter, orderBy: PredictionOrder): PagedList {
  const ofRound = roundConditions({ ...filter, from: null, to: null });
  const round = () => is.selectFrom('rounds as r').whereRef('r.id', '=', 'p.round_id').where(is.and(ofRound));
  return {
    from: () => BY_AGENT[orderBy],
    conditions: [
      ...predictionConditions(filter),
      ...idBounds(filter),
      ...(ofRound.length === 0 ? [] : [is.exists(round())]),
    ],
    order: AGENT_ORDERS[orderBy],
  };
}

/** The filter's time as ids of rounds, which ascend with the hours: other rounds are not looked up one by one. */
function idBounds({ from, to }: Pick<RoundFilter, 'from' | 'to'>): readonly Expression<SqlBool>[] {
  const firstSince = (time: Date) => {
    const later = is.selectFrom('rounds').select('id').where('start_time', '>=', time).orderBy('start_time');
    return is.fn.coalesce(later.limit(is.lit(1)), is.lit(MAX_ID));
  };
  return [
    ...(from == null ? [] : [is('s.round_id', '>=', firstSince(from))]),
    ...(to == null ? [] : [is('s.round_id', '<', firstSince(to))]),
  ];
}

/**
 * The predictions of all agents; the parent is any number. They are read round by round, at most `limit` of each, so that
 * rounds that a filter excludes cost nothing. Throws `BAD_REQUEST` for an unbounded search.
 */
export function predictionsOfAll(
  filter: PredictionFilter & RoundFilter,
  { orderBy, limit, now }: { readonly orderBy: PredictionOrder; readonly limit: number; readonly now: Date },
): PagedList {
  const order = FIELD_ORDERS[orderBy];
  const within = predictionConditions(filter);
  const ofRound = (place: Expression<SqlBool>) =>
    is
      .selectFrom('predictions as p')
      .leftJoinLateral(() => SCORE_BY_KEY, always)
      .selectAll('p')
      .whereRef('p.round_id', '=', 'r.id')
      .where(is.and([...within, place]))
      .orderBy(orderOf(order))
      .limit(is.lit(limit));
  return {
    from: (place) =>
      tablesOf(
        is
          .selectFrom('rounds as r')
          .crossJoinLateral(() => ofRound(place).as('p'))
          .leftJoin('agents as a', 'a.id', 'p.agent_id')
          .leftJoinLateral(() => SCORE_BY_KEY, always),
      ),
    conditions: [...roundConditions(filter), ...searchConditions(filter, now)],
    order,
  };
}
