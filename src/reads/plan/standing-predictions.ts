import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ANY_ASSET } from '../../entities/tallies.ts';
import type { Asset } from '../../rules/assets.ts';
import type { StandingRow } from '../../rules/standing.ts';
import { instant, instantOrNull, many, one, plain, whole } from './plan.ts';
import { byEntityManager } from './read-column.ts';

/** What an agent `a` has standing, in the order of question types and assets, since when, and until when. */
export const STANDING_PREDICTIONS = whole({
  rows: many(
    whole({
      questionType: plain<StandingRow['questionType']>(sql`s.question_type`),
      asset: plain<Asset | null>(sql`nullif(s.asset, ${ANY_ASSET})`),
      prediction: plain<StandingRow['prediction']>(sql`s.answers`),
      confidence: plain<number>(sql`s.confidence`),
      setAt: instant(sql`s.set_at`),
    }),
    sql`standing_rows s where s.agent_id = a.id order by s.question_type, s.asset`,
  ),
  lapsesAt: instantOrNull(sql`(select l.lapses_at from standing_agents l where l.agent_id = a.id)`),
});

/** The same, read alone. */
export function standingOf(em: SqlEntityManager, agentId: number) {
  return byEntityManager(em)(one(STANDING_PREDICTIONS, sql`agents a where a.id = ${agentId}`));
}
