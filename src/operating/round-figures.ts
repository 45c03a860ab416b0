import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { RoundStatus } from '../rules/round-states.ts';

/** How the rounds are, all together. */
export interface RoundFigures {
  readonly byStatus: Readonly<Partial<Record<RoundStatus, number>>>;
  /** The end of the hour whose round has waited longest for its outcome; null when none waits. */
  readonly waitingSince: Date | null;
  /** The round that was decided last, unless an operator ended it; null before any. */
  readonly lastDecided: { readonly endTime: Date; readonly decidedAt: Date } | null;
}

export async function roundFigures(em: SqlEntityManager): Promise<RoundFigures> {
  const counted = await sql<{ status: RoundStatus; rounds: number; since: Date }>`
    select status, count(*)::int as rounds, min(end_time) as since from rounds group by status`.execute(em.getKysely());
  const decided = await sql<{ endTime: Date; decidedAt: Date }>`
    select end_time as "endTime", decided_at as "decidedAt" from rounds
    where decided_at is not null and void_reason is distinct from 'admin'
    order by decided_at desc, id desc limit 1`.execute(em.getKysely());
  return {
    byStatus: Object.fromEntries(counted.rows.map(({ status, rounds }) => [status, rounds])),
    waitingSince: counted.rows.find(({ status }) => status === 'resolving')?.since ?? null,
    lastDecided: decided.rows[0] ?? null,
  };
}
