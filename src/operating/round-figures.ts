import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { MAX_ID, MAX_PREDICTION_ID } from '../limits.ts';
import { ENDED_BY_OPERATOR } from '../reads/punctuality.ts';
import type { WebhookState } from '../rules/webhooks.ts';

/** How the rounds are, all together, and what else the database counts. */
export interface RoundFigures {
  /** Decisions so far: first ones, by what came of them then, and second ones. */
  readonly decisions: Readonly<Record<'resolved' | 'void' | 'amended', number>>;
  readonly byStatus: Readonly<Partial<Record<Round['status'], number>>>;
  /** The end of the hour whose round has waited longest for its outcome; null when none waits. */
  readonly waitingSince: Date | null;
  /** How many tries, of all rounds, did not decide theirs. */
  readonly failedTries: number;
  readonly predictions: number;
  readonly registrations: number;
  readonly idsLeft: Readonly<Record<'predictions' | 'agents' | 'events', number>>;
  /** How many webhooks are in each state; an active one whose tries fail is `failing`. */
  readonly webhooks: Readonly<Record<WebhookState | 'failing', number>>;
  /** The round that was decided last, unless an operator ended it; null before any. */
  readonly lastDecided: { readonly [Name in 'endTime' | 'decidedAt']: NonNullable<Round[Name]> } | null;
}

const NO_WEBHOOKS = { active: 0, failing: 0, disabled: 0, gone: 0 };

export async function roundFigures(em: SqlEntityManager): Promise<RoundFigures> {
  const counted = await sql<{ status: Round['status']; rounds: number; since: Date; tries: number; entries: number }>`
    select status, count(*)::int as rounds, min(end_time) as since, sum(attempts)::int as tries,
      sum(total_entries)::float8 as entries
    from rounds group by status`.execute(em.getKysely());
  const decided = await sql<NonNullable<RoundFigures['lastDecided']>>`
    select end_time as "endTime", decided_at as "decidedAt" from rounds r
    where decided_at is not null and not ${ENDED_BY_OPERATOR}
    order by decided_at desc, id desc limit 1`.execute(em.getKysely());
  const drawn = await sql<{ predictions: number; agents: number; names: number; events: number }>`
    select coalesce((select max(id) from predictions), 0) as predictions,
      coalesce(pg_sequence_last_value(pg_get_serial_sequence('agents', 'id')::regclass), 0) as agents,
      (select coalesce(sum(agents), 0)::int from name_counts) as names,
      (select last_seq from platform) as events`.execute(em.getKysely());
  const amended = await sql<{ amended: number; voided: number }>`
    select count(*)::int as amended, coalesce(sum((outcome is null)::int - (previous_outcome is null)::int), 0)::int as voided
    from amendments`.execute(em.getKysely());
  const hooks = await sql<{ state: WebhookState | 'failing'; count: number }>`
    select case when state = 'active' and failing_since is not null then 'failing' else state end as state, count(*)::int
    from webhooks group by 1`.execute(em.getKysely());
  const { amended: amendments = 0, voided = 0 } = amended.rows[0] ?? {};
  const byStatus = Object.fromEntries(counted.rows.map(({ status, rounds }) => [status, rounds]));
  const { predictions = 0, agents = 0, names = 0, events = 0 } = drawn.rows[0] ?? {};
  return {
    idsLeft: { predictions: MAX_PREDICTION_ID - predictions, agents: MAX_ID - agents, events: MAX_ID - events },
    byStatus,
    decisions: {
      resolved: (byStatus['resolved'] ?? 0) + voided,
      void: (byStatus['void'] ?? 0) - voided,
      amended: amendments,
    },
    webhooks: {
      ...NO_WEBHOOKS,
      ...Object.fromEntries(hooks.rows.map(({ state, count }) => [state, count])),
    },
    waitingSince: counted.rows.find(({ status }) => status === 'resolving')?.since ?? null,
    failedTries: counted.rows.reduce((sum, { tries }) => sum + tries, 0),
    predictions: counted.rows.reduce((sum, { entries }) => sum + entries, 0),
    registrations: names,
    lastDecided: decided.rows[0] ?? null,
  };
}
