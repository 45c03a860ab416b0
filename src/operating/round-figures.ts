import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import type { DB } from '../entities/tables.ts';
import { MAX_ID, MAX_PREDICTION_ID } from '../limits.ts';
import { ENDED_BY_OPERATOR } from '../reads/punctuality.ts';
import { DECIDED_STATUSES } from '../rules/round-states.ts';
import type { WebhookState } from '../rules/webhooks.ts';

/** Counts of the whole database. */
export interface RoundFigures {
  /** First decisions by their result, and amendments. */
  readonly decisions: Readonly<Record<'resolved' | 'void' | 'amended', number>>;
  readonly byStatus: Readonly<Partial<Record<Round['status'], number>>>;
  /** The end of the hour of the round that has waited longest for its outcome; null if none waits. */
  readonly waitingSince: Date | null;
  /** Tries of all rounds without a decision. */
  readonly failedTries: number;
  readonly predictions: number;
  readonly registrations: number;
  readonly idsLeft: Readonly<Record<'predictions' | 'agents' | 'events', number>>;
  /** Webhooks by state; an active one whose tries fail is `failing`. */
  readonly webhooks: Readonly<Record<WebhookState | 'failing', number>>;
  /** The newest decided round that no operator ended; null if there is none. */
  readonly lastDecided: { readonly [Name in 'endTime' | 'decidedAt']: NonNullable<Round[Name]> } | null;
}

const NO_WEBHOOKS = { active: 0, failing: 0, disabled: 0, gone: 0 };

export async function roundFigures(em: SqlEntityManager): Promise<RoundFigures> {
  const tables = em.getKysely<DB>();
  const counted = await tables
    .selectFrom('rounds')
    .groupBy('status')
    .select(({ fn }) => [
      'status',
      fn.countAll<number>().as('rounds'),
      fn.min('end_time').as('since'),
      fn.sum<number>('attempts').as('tries'),
      fn.sum<number>('total_entries').as('entries'),
    ])
    .execute();
  const decided = await tables
    .selectFrom('rounds as r')
    .select((r) => ['r.end_time as endTime', r.ref('r.decided_at').$notNull().as('decidedAt')])
    .where('r.status', 'in', DECIDED_STATUSES)
    .where((r) => r.not(ENDED_BY_OPERATOR))
    .orderBy('r.decided_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const predicted = tables.selectFrom('predictions').select(({ fn }) => fn.max('id').as('id'));
  const named = tables.selectFrom('name_counts').select(({ fn }) => fn.sum<number>('agents').as('names'));
  const drawn = await tables
    .selectFrom('platform')
    .select(({ fn }) => [
      fn.coalesce(predicted, sql.lit(0)).as('predictions'),
      sql<number>`coalesce(pg_sequence_last_value(pg_get_serial_sequence('agents', 'id')::regclass), 0)`.as('agents'),
      fn.coalesce(named, sql.lit(0)).as('names'),
      'last_seq as events',
    ])
    .executeTakeFirst();
  // Amendments that made a resolved round void, minus those that resolved a void one.
  const amended = await tables
    .selectFrom('amendments as m')
    .select((m) => {
      const isVoid = (of: 'outcome' | 'previous_outcome') => m.cast<number>(m(of, 'is', null), 'integer');
      const voided = m(isVoid('outcome'), '-', isVoid('previous_outcome'));
      return [m.fn.countAll<number>().as('amended'), m.fn.coalesce(m.fn.sum<number>(voided), m.lit(0)).as('voided')];
    })
    .executeTakeFirst();
  const hooks = await tables
    .selectFrom('webhooks as w')
    .select((w) => {
      const isFailing = w.and([w('state', '=', 'active'), w('failing_since', 'is not', null)]);
      const state = w.case().when(isFailing).then(sql.lit('failing')).else(w.ref('state')).end();
      return [state.as('state'), w.fn.countAll<number>().as('count')];
    })
    .groupBy(sql.lit(1))
    .execute();
  const { amended: amendments = 0, voided = 0 } = amended ?? {};
  const byStatus = Object.fromEntries(counted.map(({ status, rounds }) => [status, rounds]));
  const { predictions = 0, agents = 0, names = 0, events = 0 } = drawn ?? {};
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
      ...Object.fromEntries(hooks.map(({ state, count }) => [state, count])),
    },
    waitingSince: counted.find(({ status }) => status === 'resolving')?.since ?? null,
    failedTries: counted.reduce((sum, { tries }) => sum + tries, 0),
    predictions: counted.reduce((sum, { entries }) => sum + entries, 0),
    registrations: names,
    lastDecided: decided ?? null,
  };
}
