import { type RawBuilder, sql } from 'kysely';
import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { Round } from '../entities/round.ts';
import type { DB } from '../entities/tables.ts';
import { PAGE_SIZES } from '../limits.ts';
import { ASSETS, isAsset } from '../rules/assets.ts';
import { refused } from '../rules/errors.ts';
import { HOUR, SECOND } from '../rules/hours.ts';
import type { QuestionType } from '../rules/questions/question.ts';
import type { RoundStatus } from '../rules/round-states.ts';
import { type Period, WINDOW_LENGTHS } from '../rules/windows.ts';
import { byAge, pageIn, type PageOfList, type PageRequest } from './paging.ts';
import { every } from './sql.ts';

/** Which rounds are meant; what is unset or null leaves none out. */
export interface RoundFilter {
  readonly status?: readonly RoundStatus[] | null;
  readonly questionType?: readonly QuestionType[] | null;
  /** An asset whose candle decides the round. */
  readonly asset?: string | null;
  /** The asset that the question is about. */
  readonly subject?: string | null;
  /** The earliest start, itself included. */
  readonly from?: Date | null;
  /** The start itself excluded. */
  readonly to?: Date | null;
}

/** Conditions on a round `r`. Throws `BAD_REQUEST` for an asset that there is not. */
export function roundConditions(filter: RoundFilter): readonly RawBuilder<unknown>[] {
  const { status, questionType, asset, subject, from, to } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  if (status != null) conditions.push(sql`r.status = any(${[...status]})`);
  if (questionType != null) conditions.push(sql`r.question_type = any(${[...questionType]})`);
  if (subject != null) conditions.push(sql`r.subject = ${subject}`);
  if (from != null) conditions.push(sql`r.start_time >= ${from}`);
  if (to != null) conditions.push(sql`r.start_time < ${to}`);
  if (asset != null) {
    checkAsset(asset);
    conditions.push(sql`exists (select from round_assets ra where ra.round_id = r.id and ra.asset = ${asset})`);
  }
  return conditions;
}

/** Throws `BAD_REQUEST` unless it is one of the eight assets. */
export function checkAsset(asset: string): void {
  if (!isAsset(asset)) throw refused('asset', `one of ${ASSETS.join(', ')}`, asset);
}

/** The resolved rounds of a window, of some question types, decided by an asset or about it alone. */
export interface WindowRounds extends Pick<RoundFilter, 'subject'> {
  readonly window: Period;
  readonly questionType: readonly QuestionType[] | null;
  readonly asset: string | null;
}

/**
 * These rounds as a table of `id`, `start_time`, `end_time` and `choice_count`. Every round lasts one hour: so
 * starts, which have an index, stand for ends; and a window holds as many as it has hours: the limit lets the planner know.
 */
export function windowRounds({ window, ...filter }: WindowRounds): RawBuilder<unknown> {
  const length = WINDOW_LENGTHS[window];
  const conditions = roundConditions({ status: ['resolved'], ...filter });
  const columns = sql`r.id, r.start_time, r.end_time, jsonb_array_length(r.choices) as choice_count`;
  if (length === null) return sql`(select ${columns} from rounds r where ${every(conditions)})`;
  const inWindow = sql`r.start_time > (
    select newest_resolved_end - make_interval(secs => ${(length + HOUR) / SECOND}) from platform where id = 1)`;
  return sql`(
    select ${columns} from rounds r where ${every([...conditions, inWindow])}
    order by r.start_time desc limit ${length / HOUR})`;
}

/**
 * Conditions that leave of scores `s` those of a window's rounds, without a look at the rounds: every score is of a
 * resolved one, and their ids ascend with the hours, so that those of a window lie behind one id.
 */
export function inWindowById(window: Period): RawBuilder<unknown> {
  const length = WINDOW_LENGTHS[window];
  if (length === null) return sql`true`;
  return sql`s.round_id > coalesce((
    select id from rounds where start_time <= (
      select newest_resolved_end - make_interval(secs => ${(length + HOUR) / SECOND}) from platform where id = 1)
    order by start_time desc limit 1), 0)`;
}

export interface RoundPageRequest extends RoundFilter, PageRequest {
  readonly orderBy?: keyof typeof ORDERS | null;
  /** Whether their hours are over; unset or null leaves none out. */
  readonly ended?: boolean | null;
}

const ORDERS = byAge('rounds', { column: sql`r.start_time`, kind: 'instant' });

/**
 * The list of rounds and the page of it that is asked for. The cursor is a round's start, so that new rounds neither hide nor
 * repeat any. Throws `BAD_REQUEST` for what the schema's types let through.
 */
export function roundsPageOf(args: RoundPageRequest, now: Date): PageOfList {
  const order = ORDERS[args.orderBy ?? 'NEWEST'];
  const ofTime = args.ended == null ? [] : [args.ended ? sql`r.end_time <= ${now}` : sql`r.end_time > ${now}`];
  const conditions = [...roundConditions(args), ...ofTime];
  const list = { from: () => sql`rounds r`, conditions, order };
  return { list, page: pageIn(order, args, PAGE_SIZES.recentRounds) };
}

/** How many predictions the active round has, and the newest event, of one moment; null when no round is active. */
export async function entriesNow(em: SqlEntityManager) {
  const active = em.getKysely<DB>().selectFrom(['rounds as r', 'platform as p']).where('r.status', '=', 'active');
  const found = active.select(['r.id as roundId', 'r.total_entries as totalEntries', 'p.last_seq as seq']);
  return (await found.executeTakeFirst()) ?? null;
}

/** The starts of hours from `first` on and before `end` whose round is void already. */
export async function voidHours(em: SqlEntityManager, first: Date, end: Date): Promise<ReadonlySet<number>> {
  const found = await em.find(
    Round,
    { status: 'void', startTime: { $gte: first, $lt: end } },
    { fields: ['startTime'] },
  );
  return new Set(found.map(({ startTime }) => startTime.getTime()));
}
