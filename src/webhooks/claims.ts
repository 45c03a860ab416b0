import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { KEPT_TRIES, type WebhookState } from '../rules/webhooks.ts';
import { givenRows } from '../entities/given-rows.ts';
import { extract, intervals } from '../reads/fragments.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { recordset } from '../reads/table-functions.ts';
import type { CallResult } from './call.ts';
import { isCalled, type Message } from './messages.ts';

interface ClaimRequest {
  /** Service time. */
  readonly now: Date;
  /** True: webhooks whose last try failed or was slow. False: the others. Each has its own limit. */
  readonly slow: boolean;
  readonly limit: number;
  readonly leaseMs: number;
}

const hook = byAlias({ w: 'webhooks' }).w;

const NOW = parts.fn<Date>('now');
const later = (ms: Expression<number>) => parts(NOW, '+', intervals(ms, 1));
/** True if events are due, not only a test message. */
const IS_DUE = parts.and([
  parts(hook('state'), '=', sql.lit<WebhookState>('active')),
  parts(hook('next_try_at'), '<=', NOW),
]);
const FAILING_MS = parts(extract('epoch', parts(NOW, '-', hook('failing_since'))), '*', sql.lit(1000));

/** Claims webhooks with a message due, those that have waited longest first, until the lease expires. */
export async function claimDue(em: SqlEntityManager, { now, slow, limit, leaseMs }: ClaimRequest) {
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
    .set((w) => ({ claim: w('claim', '+', 1), claimed_until: later(w.val(leaseMs)) }))
    .from(due.as('due'))
    .whereRef('w.id', '=', 'due.id')
    .returning(['w.id', 'agent_id as agentId', 'url', 'kinds', 'cursor_seq as cursor', 'claim', 'failures', 'slow'])
    .returning(['tests_asked as testsAsked', 'tests_sent as testsSent', IS_DUE.as('isDue')])
    .returning(parts.cast<number>(parts.fn.coalesce(FAILING_MS, sql.lit(0)), 'float8').as('failingMs'))
    .execute();
}

/** A claimed webhook. A later claim has a greater `claim`; then writes of this one are skipped. */
export type ClaimedWebhook = Awaited<ReturnType<typeof claimDue>>[number];

/** Advances the cursors of webhooks whose remaining events do not match their kinds. Deleted events need a notice instead. */
export async function passOver(em: SqlEntityManager): Promise<void> {
  const tables = em.getKysely<DB>();
  const log = tables.selectFrom('events').select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')]);
  const idle = tables
    .selectFrom(['webhooks as w', log.as('l')])
    .select(['w.id', 'l.last'])
    .where('w.state', '=', 'active')
    .where((is) => is.between('w.cursor_seq', is('l.first', '-', 1), is('l.last', '-', 1)))
    .where('w.claimed_until', '<=', NOW)
    .where('w.next_try_at', '<=', NOW)
    .where((is) => {
      const behind = is.selectFrom('events as e').whereRef('e.seq', '>', 'w.cursor_seq');
      return is.not(is.exists(behind.where('e.kind', '=', is.fn.any('w.kinds'))));
    })
    .forUpdate('w')
    .skipLocked();
  await tables
    .updateTable('webhooks as w')
    .from(idle.as('idle'))
    .set((w) => ({ cursor_seq: w.ref('idle.last') }))
    .whereRef('w.id', '=', 'idle.id')
    .execute();
}

/**
 * Releases webhooks that were sent all events up to the cursor; the others come first at the next claim. A cursor that
 * moves here has skipped outdated events, which also ends a failure. Rows are locked in the order of their ids, as
 * wherever locks are waited for.
 */
export async function giveBack(em: SqlEntityManager, claimed: readonly ClaimedWebhook[]): Promise<void> {
  const tables = em.getKysely<DB>();
  const sent = claimed.map(({ id, claim, cursor }) => ({ id, claim, cursor_seq: cursor }));
  const locked = tables
    .selectFrom('webhooks as w')
    .innerJoin(givenRows('webhooks', sent), (join) =>
      join.onRef('given.id', '=', 'w.id').onRef('given.claim', '=', 'w.claim'),
    )
    .select(['w.id', 'given.cursor_seq as cursor'])
    .orderBy('w.id')
    .forUpdate('w');
  await tables
    .updateTable('webhooks as w')
    .from(locked.as('g'))
    .set((w) => {
      const hasMoved = w('g.cursor', '>', w.ref('w.cursor_seq'));
      return {
        cursor_seq: w.fn('greatest', ['w.cursor_seq', 'g.cursor']),
        claimed_until: NOW,
        next_try_at: w.fn('greatest', ['w.next_try_at', NOW]),
        failures: w.case().when(hasMoved).then(0).else(w.ref('w.failures')).end(),
        failing_since: w.case().when(hasMoved).then(null).else(w.ref('w.failing_since')).end(),
      };
    })
    .whereRef('w.id', '=', 'g.id')
    .execute();
}

/** The outcome of a try: a test message sent, an event accepted, or a failure, behind which all events wait. */
export type TryOutcome =
  | { readonly outcome: 'tested' | 'taken' }
  | { readonly outcome: 'failed'; readonly state: WebhookState; readonly waitMs: number };

export interface Try extends CallResult {
  readonly message: Message;
  /** The time at which it began. */
  readonly at: Date;
  readonly durationMs: number;
  /** True if it failed or exceeded the limit of a slow try. */
  readonly slow: boolean;
  readonly claimed: ClaimedWebhook;
  readonly became: TryOutcome;
}

const KEPT = ['number', 'at', 'message_id', 'type', 'status', 'error', 'duration_ms'] as const;

/** The columns of a try as a row of JSON. */
const TRIED = {
  id: 'int',
  claim: 'int',
  outcome: 'text',
  state: 'text',
  wait_ms: 'float8',
  seq: 'int',
  tests_asked: 'int',
  slow: 'boolean',
  at: 'timestamptz',
  message_id: 'text',
  type: 'text',
  status: 'smallint',
  error: 'text',
  duration_ms: 'int',
} as const;

/**
 * Records tries. Webhooks that accepted a message stay claimed for another lease, the others are released. Returns the
 * tries whose claim is still valid; other rows, also in the same group, stay as they are.
 */
export async function recordTries(
  em: SqlEntityManager,
  tries: readonly Try[],
  leaseMs: number,
): Promise<ReadonlySet<Try>> {
  const values = tries.map(({ claimed: { id, claim, testsAsked }, message, became, ...made }) => {
    const { durationMs, slow, at, status, error } = made;
    const { id: messageId, seq, type } = message;
    const { state, waitMs, outcome } = { state: null, waitMs: 0, ...became };
    const tried = { id, claim, outcome, state, wait_ms: waitMs, seq, tests_asked: testsAsked, slow };
    return { ...tried, at, message_id: messageId, type, status, error, duration_ms: durationMs };
  });
  const recorded = await em
    .getKysely<DB>()
    .with('tried', (tables) => tables.selectFrom(recordset('t', values, TRIED)).selectAll())
    .with('moved', (tables) => {
      const locked = tables
        .selectFrom('webhooks as w')
        .innerJoin('tried as t', (join) => join.onRef('t.id', '=', 'w.id').onRef('t.claim', '=', 'w.claim'))
        .selectAll('t')
        .orderBy('w.id')
        .forUpdate('w');
      return tables
        .updateTable('webhooks as w')
        .from(locked.as('t'))
        .set((w) => {
          const [by, leased] = [w.case('t.outcome'), later(w.val(leaseMs))];
          return {
            tries: w('w.tries', '+', 1),
            slow: w.ref('t.slow'),
            tests_sent: by.when('tested').then(w.ref('t.tests_asked')).else(w.ref('w.tests_sent')).end(),
            cursor_seq: by.when('taken').then(w.ref('t.seq').$notNull()).else(w.ref('w.cursor_seq')).end(),
            failures: by
              .when('taken')
              .then(0)
              .when('failed')
              .then(w('w.failures', '+', 1))
              .else(w.ref('w.failures'))
              .end(),
            failing_since: by
              .when('taken')
              .then(null)
              .when('failed')
              .then(w.fn.coalesce('w.failing_since', NOW))
              .else(w.ref('w.failing_since'))
              .end(),
            state: by.when('failed').then(w.ref('t.state').$notNull()).else(w.ref('w.state')).end(),
            next_try_at: by
              .when('tested')
              .then(w.ref('w.next_try_at'))
              .else(later(w.ref('t.wait_ms')))
              .end(),
            claimed_until: by.when('failed').then(NOW).else(leased).end(),
          };
        })
        .whereRef('w.id', '=', 't.id')
        .returning(['w.id', 'w.claim', 'w.tries']);
    })
    .with('kept', (tables) =>
      tables
        .insertInto('webhook_tries')
        .columns(['webhook_id', 'slot', ...KEPT])
        .expression((from) =>
          from
            .selectFrom('moved as m')
            .innerJoin('tried as t', (join) => join.onRef('t.id', '=', 'm.id').onRef('t.claim', '=', 'm.claim'))
            .select((t) => ['m.id', t('m.tries', '%', KEPT_TRIES).as('slot'), 'm.tries as number'])
            .select(['t.at', 't.message_id', 't.type', 't.status', 't.error', 't.duration_ms']),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['webhook_id', 'slot'])
            .doUpdateSet((t) => Object.fromEntries(KEPT.map((name) => [name, t.ref(`excluded.${name}`)]))),
        ),
    )
    .selectFrom('moved')
    .select(['id', 'claim'])
    .execute();
  const claims = new Map(recorded.map(({ id, claim }) => [id, claim]));
  return new Set(tries.filter(({ claimed: { id, claim } }) => claims.get(id) === claim));
}
