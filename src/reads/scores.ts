import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { sql } from 'kysely';

import { scoreFigures } from '../entities/score.ts';
import type { DB } from '../entities/tables.ts';

const NAMES = new UnderscoreNamingStrategy();

/** The columns of a score that a decision of its round changes. */
export const SCORE_FIGURES = ['place', ...Object.keys(scoreFigures()).map((name) => NAMES.propertyToColumnName(name))];

/**
 * The scores in force, as a table with the columns of `scores`: as a resolution wrote them, or with what amendments have corrected.
 * A round that was made void has none.
 */
export const SCORES = sql.raw<DB['scores']>(`(
  select s.round_id, s.agent_id, s.confidence, s.standing, ${SCORE_FIGURES.map((name) => `coalesce(c.${name}, s.${name}) as ${name}`).join(', ')}
  from scores s left join corrected_scores c on c.round_id = s.round_id and c.agent_id = s.agent_id
  where c.counted is not false)`);

/** Joins the score in force of a prediction `p`, if any, as `s`. */
export const SCORE_OF_PREDICTION = sql`left join lateral (
  select * from ${SCORES} t where t.round_id = p.round_id and t.agent_id = p.agent_id limit 1
) s on true`;

/** Whether a score `s` of a forecast is the newest of its round: no amendment has come after it, and none that made the round void is it. */
export const IN_FORCE = sql`not exists (select from amendments a where a.round_id = s.round_id
  and (a.amended_at > s.decided_at or (a.amended_at = s.decided_at and a.outcome is null)))`;
