import { sql } from 'kysely';

import type { BoardOrder } from '../../rules/board-orders.ts';
import type { Period } from '../../rules/windows.ts';
import { property } from '../fragments.ts';
import { byAlias } from './by-alias.ts';
import { parts } from './parts.ts';
import { constant, one, plain, plainOr } from './plan.ts';

const { a, s, e, t } = byAlias({ a: 'agents', s: 'standings', e: 'earlier_ranks', t: 'recent_points' }, 'e');

/** Resolved answers in a median minute: a bound for the rows that a board reads. */
const MINUTE_ANSWERS = 30;

/** The median minute of an agent `a`; null without answers of its own. */
export const MEDIAN_MINUTE = plain(sql<number | null>`(
  select percentile_disc(0.5) within group (order by (
    select extract(minute from submitted_at at time zone 'UTC')::int from predictions
    where round_id = own.round_id and agent_id = ${a('id')} and not standing))
  from (select round_id from scores where agent_id = ${a('id')}
    order by round_id desc limit ${sql.lit(MINUTE_ANSWERS)}) own)`);

/** Columns of the agent `a` and its standing `s` on a board; the former rank is null on a board without an order. */
export function agentColumns(period: Period, orderBy: BoardOrder | null) {
  const ranks = parts.selectFrom('earlier_ranks as e').where('e.period', '=', sql.lit(period));
  return {
    ...a.plain('name'),
    ...s.plain('current_streak', 'best_streak', 'tier'),
    earlierRank:
      orderBy === null
        ? constant<number | null>(null)
        : one(
            plain(property<number | null>(e('ranks'), parts.cast<string>(a('id'), 'text'))),
            ranks.where('e.order_by', '=', sql.lit(orderBy)),
          ),
    recentPoints: one(
      plainOr<readonly number[]>([], parts.fn.toJson(t('points'))),
      parts.selectFrom('recent_points as t').where('t.agent_id', '=', a('id')),
    ),
    medianMinute: MEDIAN_MINUTE,
  };
}
