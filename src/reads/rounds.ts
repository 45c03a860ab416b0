import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';

import { Round } from '../entities/round.ts';
import type { DB } from '../entities/tables.ts';
import { PAGE_SIZES } from '../limits.ts';
import { type Asset, ASSETS, isAsset } from '../rules/assets.ts';
import { DomainError, refused } from '../rules/errors.ts';
import { addHours, HOUR } from '../rules/hours.ts';
import type { QuestionType } from '../rules/questions/question.ts';
import type { RoundStatus } from '../rules/round-states.ts';
import { type Period, WINDOW_LENGTHS } from '../rules/windows.ts';
import { type AliasedTables, anyOf, compiled, interval, tablesOf } from './fragments.ts';
import { byAge, pageIn, type PageOfList, type PageRequest } from './paging.ts';
import { byAlias } from './plan/by-alias.ts';

/** A filter of rounds; fields that are unset or null match all. */
export interface RoundFilter {
  readonly status?: readonly RoundStatus[] | null;
  readonly questionType?: readonly QuestionType[] | null;
  /** An asset whose candle decides the round. */
  readonly asset?: string | null;
  /** The asset in the question. */
  readonly subject?: string | null;
  /** The earliest start, inclusive. */
  readonly from?: Date | null;
  /** The latest start, exclusive. */
  readonly to?: Date | null;
}

const r = expressionBuilder<AliasedTables<{ r: 'rounds' }>, 'r'>();

/** Conditions on a round `r`. Throws `BAD_REQUEST` for an unknown asset. */
export function roundConditions(filter: RoundFilter): readonly Expression<SqlBool>[] {
  const { status, questionType, asset, subject, from, to } = filter;
  const conditions: Expression<SqlBool>[] = [];
  if (status != null) conditions.push(r('r.status', '=', anyOf(status)));
  if (questionType != null) conditions.push(r('r.question_type', '=', anyOf(questionType)));
  if (subject != null) conditions.push(r('r.subject', '=', subject));
  if (from != null) conditions.push(r('r.start_time', '>=', from));
  if (to != null) conditions.push(r('r.start_time', '<', to));
  if (asset != null) {
    checkAsset(asset);
    const deciding = r.selectFrom('round_assets as ra').whereRef('ra.round_id', '=', 'r.id');
    conditions.push(r.exists(deciding.where('ra.asset', '=', asset)));
  }
  return conditions;
}

/** Throws `BAD_REQUEST` unless it is one of the eight assets. */
export function checkAsset(asset: string): asserts asset is Asset {
  if (!isAsset(asset)) throw refused('asset', `one of ${ASSETS.join(', ')}`, asset);
}

/** The resolved rounds of a window that match a filter. */
export interface WindowRounds extends Pick<RoundFilter, 'subject'> {
  readonly window: Period;
  readonly questionType: readonly QuestionType[] | null;
  readonly asset: Asset | null;
}

/**
 * A query of these rounds. Every round lasts one hour, so their starts, which have an index, bound the ends. The limit, one
 * round an hour, is an estimate for the planner.
 */
export function windowRounds({ window, ...filter }: WindowRounds) {
  const length = WINDOW_LENGTHS[window];
  const rounds = r
    .selectFrom('rounds as r')
    .select(['r.id', 'r.start_time', 'r.end_time', jsonLength.as('choice_count')])
    .where(r.and(roundConditions({ status: ['resolved'], ...filter })));
  if (length === null) return rounds;
  const first = beforeNewestEnd(length + HOUR);
  return rounds
    .where('r.start_time', '>', first)
    .orderBy('r.start_time', 'desc')
    .limit(length / HOUR);
}

const jsonLength = r.fn<number>('jsonb_array_length', ['r.choices']);

/** A query of the time this many milliseconds before the end of the newest resolved round. */
export function beforeNewestEnd(ms: number) {
  return r
    .selectFrom('platform as p')
    .where('p.id', '=', r.lit(1))
    .select((p) => p('p.newest_resolved_end', '-', interval(ms)).as('time'));
}

/**
 * True for scores `s` of a window's rounds, without a read of each round. Only resolved rounds have scores, and ids ascend
 * with the hours, so all rounds of a window have ids above one.
 */
export function inWindowById(window: Period): Expression<SqlBool> {
  const length = WINDOW_LENGTHS[window];
  if (length === null) return r.lit(true);
  const last = r
    .selectFrom('rounds')
    .select('id')
    .where('start_time', '<=', beforeNewestEnd(length + HOUR))
    .orderBy('start_time', 'desc')
    .limit(r.lit(1));
  const s = expressionBuilder<AliasedTables<{ s: 'scores' }>, 's'>();
  return s('s.round_id', '>', s.fn.coalesce(last, s.lit(0)));
}

/** Throws `NOT_FOUND` for an id without a round, and for a round whose predictions only an archive has. */
export async function unarchivedRound(em: SqlEntityManager, id: number) {
  const rounds = em.getKysely<DB>().selectFrom('rounds').select(['status', 'archived']).where('id', '=', id);
  const round = await rounds.executeTakeFirst();
  if (round === undefined) throw new DomainError('unknown_round', `There is no round ${id}.`);
  if (!round.archived) return round;
  throw new DomainError('archived_round', `Only an archive of its month has the predictions of round ${id}.`);
}

export interface RoundPageRequest extends RoundFilter, PageRequest {
  readonly orderBy?: keyof typeof ORDERS | null;
  /** True: rounds whose hours are over. False: the others. Unset or null: both. */
  readonly ended?: boolean | null;
}

const ORDERS = byAge('rounds', { column: byAlias({ r: 'rounds' }).r('start_time'), kind: 'instant' });

const ROUNDS = compiled(tablesOf(r.selectFrom('rounds as r')));

/**
 * The list of rounds and its requested page. A cursor holds a round's start, so that pages stay the same as rounds are
 * added. Throws `BAD_REQUEST` for values that the schema's types allow and the list does not.
 */
export function roundsPageOf(args: RoundPageRequest, now: Date): PageOfList {
  const order = ORDERS[args.orderBy ?? 'NEWEST'];
  const ofTime = args.ended == null ? [] : [r('r.start_time', args.ended ? '<=' : '>', addHours(now, -1))];
  const list = { from: () => ROUNDS, conditions: [...roundConditions(args), ...ofTime], order };
  return { list, page: pageIn(order, args, PAGE_SIZES.recentRounds) };
}

/** The active round's count of predictions and the newest event, read at once; null when no round is active. */
export async function entriesNow(em: SqlEntityManager) {
  const active = em.getKysely<DB>().selectFrom(['rounds as r', 'platform as p']).where('r.status', '=', 'active');
  const found = active.select(['r.id as roundId', 'r.total_entries as totalEntries', 'p.last_seq as seq']);
  return (await found.executeTakeFirst()) ?? null;
}

/** The starts of hours from `first`, inclusive, to `end`, exclusive, whose round is void. */
export async function voidHours(em: SqlEntityManager, first: Date, end: Date): Promise<ReadonlySet<number>> {
  const found = await em.find(
    Round,
    { status: 'void', startTime: { $gte: first, $lt: end } },
    { fields: ['startTime'] },
  );
  return new Set(found.map(({ startTime }) => startTime.getTime()));
}
