import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { rows } from '../reads/sql.ts';
import { KEPT_TRIES, type WebhookState } from '../rules/webhooks.ts';
import type { Called } from './call.ts';
import { isCalled, type Message } from './messages.ts';

interface Wanted {
  /** Of the service. */
  readonly now: Date;
  /** Those whose last try failed or took long, or the others: neither takes the other's places. */
  readonly slow: boolean;
  readonly limit: number;
  readonly leaseMs: number;
}

const NOW = sql<Date>`now()`;
const later = (ms: unknown) => sql<Date>`now() + ${ms} * interval '1 ms'`;
/** Whether events are to be sent, and not a test message alone. */
const IS_DUE = sql<boolean>`w.state = 'active' and w.next_try_at <= now()`;

/** Takes webhooks that have something to be sent, those that have waited longest first, each for as long as the lease at the most. */
export async function claimDue(em: SqlEntityManager, { now, slow, limit, leaseMs }: Wanted) {
  if (limit <= 0) return [];
  const tables = em.getKysely<DB>();
  const newest = tables.selectFrom('events').select(({ fn }) => fn.max('seq').as('seq'));
  const due = tables
    .selectFrom('webhooks as w')
    .innerJoin('agents as a', 'a.id', 'w.agent_id')
    .select('w.id')
    .where('claimed_until', '<=', NOW)
    .where('slow', '=', slow)
    .where(isCalled(now))
    .where((is) =>
      is.or([is('tests_sent', '<', is.ref('tests_asked')), is.and([IS_DUE, is('cursor_seq', '<', newest)])]),
    )
    .orderBy('next_try_at')
    .limit(limit)
    .forUpdate('w')
    .skipLocked();
  return tables
    .updateTable('webhooks as w')
    .set((w) => ({ claim: w('claim', '+', 1), claimed_until: later(leaseMs) }))
    .from(due.as('due'))
    .whereRef('w.id', '=', 'due.id')
    .returning(['w.id', 'agent_id as agentId', 'url', 'kinds', 'cursor_seq as cursor', 'claim', 'failures', 'slow'])
    .returning(['tests_asked as testsAsked', 'tests_sent as testsSent', IS_DUE.as('isDue')])
    .returning(sql<number>`coalesce(extract(epoch from now() - w.failing_since) * 1000, 0)::float8`.as('failingMs'))
    .execute();
}

/** A webhook that a worker has in hand. Who claims it later has a greater `claim`, and what this one records then is left out. */
export type Claimed = Awaited<ReturnType<typeof claimDue>>[number];

/** Moves the cursors on of those that nothing behind them concerns, in one statement. Whose events were forgotten is sent that. */
export async function passOver(em: SqlEntityManager): Promise<void> {
  await rows(em)`
    update webhooks w set cursor_seq = idle.last
    from (
      select w.id, l.last from webhooks w, (select min(seq) as first, max(seq) as last from events) l
      where w.state = 'active' and w.cursor_seq between l.first - 1 and l.last - 1
        and w.claimed_until <= now() and w.next_try_at <= now()
        and not exists (select from events e where e.seq > w.cursor_seq and e.kind = any(w.kinds))
      for update of w skip locked) idle
    where w.id = idle.id`;
}

/**
 * Gives webhooks back, each sent all up to its cursor: another worker may take them at once. Others have their turn before them.
 * A cursor that moves here passes what is of no use any more: had that failed, it fails no longer.
 * Whoever changes several locks them in the order of their ids.
 */
export async function giveBack(em: SqlEntityManager, given: readonly Claimed[]): Promise<void> {
  const values = given.map(({ id, claim, cursor }) => ({ id, claim, cursor }));
  await rows(em)`
    update webhooks w set cursor_seq = greatest(w.cursor_seq, g.cursor), claimed_until = now(),
      next_try_at = greatest(w.next_try_at, now()),
      failures = case when g.cursor > w.cursor_seq then 0 else w.failures end,
      failing_since = case when g.cursor > w.cursor_seq then null else w.failing_since end
    from (
      select w.id, g.cursor from webhooks w
      join jsonb_to_recordset(${JSON.stringify(values)}::jsonb) g(id int, claim int, cursor int) using (id, claim)
      order by w.id for update of w) g
    where w.id = g.id`;
}

/** What came of a try: a test message was sent, an event was taken, or it failed and everything behind it waits. */
export type TryOutcome =
  | { readonly outcome: 'tested' | 'taken' }
  | { readonly outcome: 'failed'; readonly state: WebhookState; readonly waitMs: number };

/** A try, and when it began. */
export interface Try extends Called {
  readonly message: Message;
  readonly at: Date;
  readonly durationMs: number;
  /** Whether it failed or took long. */
  readonly slow: boolean;
  readonly claimed: Claimed;
  readonly became: TryOutcome;
}

/**
 * Records tries: webhooks that were sent a message stay in hand for the lease, those that did not take it are given back.
 * Returns those of webhooks that are theirs still; what others have by now, maybe in the same group, is left as it is.
 */
export async function recordTries(
  em: SqlEntityManager,
  tries: readonly Try[],
  leaseMs: number,
): Promise<ReadonlySet<Try>> {
  const values = tries.map(({ claimed: { id, claim, testsAsked }, message, became, ...made }) => {
    const { durationMs, slow, at, status, error } = made;
    const { id: messageId, seq, type } = message;
    const one = { id, claim, testsAsked, seq, messageId, type, at, status, error, durationMs, slow };
    return { ...one, state: null, waitMs: 0, ...became };
  });
  const recorded = await rows<Pick<Claimed, 'id' | 'claim'>>(em)`
    with tried as (
      select * from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) t(
        id int, claim int, outcome text, state text, "waitMs" float8, seq int, "testsAsked" int,
        "messageId" text, type text, at timestamptz, status smallint, error text, "durationMs" int, slow boolean)),
    moved as (
      update webhooks w set tries = w.tries + 1, slow = t.slow,
        tests_sent = case t.outcome when 'tested' then t."testsAsked" else w.tests_sent end,
        cursor_seq = case t.outcome when 'taken' then t.seq else w.cursor_seq end,
        failures = case t.outcome when 'taken' then 0 when 'failed' then w.failures + 1 else w.failures end,
        failing_since = case t.outcome
          when 'taken' then null when 'failed' then coalesce(w.failing_since, now()) else w.failing_since end,
        state = case t.outcome when 'failed' then t.state else w.state end,
        next_try_at = case t.outcome when 'tested' then w.next_try_at else ${later(sql.ref('t.waitMs'))} end,
        claimed_until = case t.outcome when 'failed' then now() else ${later(leaseMs)} end
      from (select t.* from webhooks w join tried t using (id, claim) order by w.id for update of w) t
      where w.id = t.id
      returning w.id, w.claim, w.tries),
    kept as (
      insert into webhook_tries (webhook_id, slot, number, at, message_id, type, status, error, duration_ms)
      select id, m.tries % ${KEPT_TRIES}, m.tries, t.at, t."messageId", t.type, t.status, t.error, t."durationMs"
      from moved m join tried t using (id, claim)
      on conflict (webhook_id, slot) do update set (number, at, message_id, type, status, error, duration_ms) =
        (excluded.number, excluded.at, excluded.message_id, excluded.type, excluded.status, excluded.error, excluded.duration_ms))
    select id, claim from moved`;
  const claims = new Map(recorded.map(({ id, claim }) => [id, claim]));
  return new Set(tries.filter(({ claimed: { id, claim } }) => claims.get(id) === claim));
}
