import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { MAX_ID, MAX_PREDICTION_ID } from '../limits.ts';
import type { RoundStatus } from '../rules/round-states.ts';

/** How the rounds are, all together. */
export interface RoundFigures {
  readonly byStatus: Readonly<Partial<Record<RoundStatus, number>>>;
  /** The end of the hour whose round has waited longest for its outcome; null when none waits. */
  readonly waitingSince: Date | null;
  /** How many tries, of all rounds, did not decide theirs. */
  readonly failedTries: number;
  readonly predictions: number;
  readonly registrations: number;
  readonly idsLeft: Readonly<Record<'predictions' | 'agents' | 'events', number>>;
  /** The round that was decided last, unless an operator ended it; null before any. */
  readonly lastDecided: { readonly endTime: Date; readonly decidedAt: Date } | null;
}

export async function roundFigures(em: SqlEntityManager): Promise<RoundFigures> {
  const counted = await sql<{ status: RoundStatus; rounds: number; since: Date; tries: number; entries: number }>`
    select status, count(*)::int as rounds, min(end_time) as since, sum(attempts)::int as tries,
      sum(total_entries)::float8 as entries
    from rounds group by status`.execute(em.getKysely());
  const decided = await sql<{ endTime: Date; decidedAt: Date }>`
    select end_time as "endTime", decided_at as "decidedAt" from rounds
    where decided_at is not null and void_reason is distinct from 'admin'
    order by decided_at desc, id desc limit 1`.execute(em.getKysely());
  const drawn = await sql<{ predictions: number; agents: number; names: number; events: number }>`
    select coalesce((select max(id) from predictions), 0) as predictions,
      coalesce(pg_sequence_last_value(pg_get_serial_sequence('agents', 'id')::regclass), 0) as agents,
      (select coalesce(sum(agents), 0)::int from name_counts) as names,
      (select last_seq from platform) as events`.execute(em.getKysely());
  const { predictions = 0, agents = 0, names = 0, events = 0 } = drawn.rows[0] ?? {};
  return {
    idsLeft: { predictions: MAX_PREDICTION_ID - predictions, agents: MAX_ID - agents, events: MAX_ID - events },
    byStatus: Object.fromEntries(counted.rows.map(({ status, rounds }) => [status, rounds])),
    waitingSince: counted.rows.find(({ status }) => status === 'resolving')?.since ?? null,
    failedTries: counted.rows.reduce((sum, { tries }) => sum + tries, 0),
    predictions: counted.rows.reduce((sum, { entries }) => sum + entries, 0),
    registrations: names,
    lastDecided: decided.rows[0] ?? null,
  };
}
