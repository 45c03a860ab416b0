import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ANY_ASSET } from '../../entities/tallies.ts';
import type { Asset } from '../../rules/assets.ts';
import { byAlias } from './by-alias.ts';
import { instantOrNull, many, one, plain, whole } from './plan.ts';
import { byEntityManager } from './read-column.ts';

const { s } = byAlias({ s: 'standing_rows' });

/** What an agent `a` has standing, in the order of question types and assets, since when, and until when. */
export const STANDING_PREDICTIONS = whole({
  rows: many(
    whole({
      ...s.plain('question_type', 'confidence'),
      ...s.instant('set_at'),
      asset: plain<Asset | null>(sql`nullif(${s('asset')}, ${ANY_ASSET})`),
      prediction: plain(s('answers')),
    }),
    sql`standing_rows s where s.agent_id = a.id order by s.question_type, s.asset`,
  ),
  lapsesAt: instantOrNull(sql`(select l.lapses_at from standing_agents l where l.agent_id = a.id)`),
});

/** The same, read alone. */
export function standingOf(em: SqlEntityManager, agentId: number) {
  return byEntityManager(em)(one(STANDING_PREDICTIONS, sql`agents a where a.id = ${agentId}`));
}
