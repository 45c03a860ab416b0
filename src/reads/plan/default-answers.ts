import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { ANY_ASSET } from '../../entities/tallies.ts';
import type { Asset } from '../../rules/assets.ts';
import { byAlias } from './by-alias.ts';
import { parts } from './parts.ts';
import { instantOrNull, many, one, plain, whole } from './plan.ts';
import { byEntityManager } from './read-column.ts';

const { a, s, l } = byAlias({ a: 'agents', s: 'standing_rows', l: 'standing_agents' }, 'l');

/** The standing predictions of an agent `a` and when they lapse, by question type and asset. */
export const DEFAULT_ANSWERS = whole({
  rows: many(
    whole({
      ...s.plain('question_type', 'confidence'),
      ...s.instant('set_at'),
      asset: plain(parts.fn<Asset | null>('nullif', [s('asset'), sql.lit(ANY_ASSET)])),
      prediction: plain(s('answers')),
    }),
    parts
      .selectFrom('standing_rows as s')
      .where('s.agent_id', '=', a('id'))
      .orderBy('s.question_type')
      .orderBy('s.asset'),
  ),
  lapsesAt: one(
    instantOrNull(l('lapses_at')),
    parts.selectFrom('standing_agents as l').where('l.agent_id', '=', a('id')),
  ),
});

export function defaultAnswersOf(em: SqlEntityManager, agentId: number) {
  return byEntityManager(em)(one(DEFAULT_ANSWERS, parts.selectFrom('agents as a').where('a.id', '=', agentId)));
}
