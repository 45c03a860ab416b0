import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { lockUntilCommit } from '../../entities/advisory-locks.ts';
import { insertRows } from '../../entities/given-rows.ts';
import { Round } from '../../entities/round.ts';
import type { DB } from '../../entities/tables.ts';
import { appendEvents, forgetOldEvents, type NewEvent } from '../../feed/event-log.ts';
import type { Market } from '../../market/market.ts';
import { appendRound } from '../../transparency/append.ts';
import { addHours, hourOf, SECOND } from '../../rules/hours.ts';
import type { QuestionType } from '../../rules/questions/question.ts';
import { logFields, type ResolutionDeps } from '../resolve/resolve-round.ts';
import { RULES_VERSION } from '../../rules/versions.ts';
import { draftRound, type RoundDraft } from './round-drafts.ts';

interface CycleDeps extends ResolutionDeps {
  /** Timeout for the prices of a coming hour's question, in real milliseconds; 5 s by default. */
  readonly historyTimeoutMs?: number | undefined;
}

const HISTORY_TIMEOUT_MS = 5 * SECOND;
/** The same timeout if the running hour has no round yet. */
const LATE_HISTORY_TIMEOUT_MS = SECOND;

/**
 * Brings the rounds to `now`: stores the running and the next hour's round, deletes rounds whose hour passed unopened, closes
 * and opens what is due. Idempotent, also in many processes at once. Returns the ids of rounds that wait for an outcome.
 */
export async function reconcile(deps: CycleDeps, now: Date): Promise<readonly number[]> {
  const { newEm, market, historyTimeoutMs = HISTORY_TIMEOUT_MS } = deps;
  const missing = await missingHours(newEm(), now);
  const isLate = missing.some((hour) => hour <= now);
  // The hour turns on time, however long the prices for the next question take.
  if (missing.length > 0 && !isLate) await applyDrafts(now, deps, []);
  // Reads the market: no locks held.
  const at = { now, historyTimeoutMs: isLate ? Math.min(historyTimeoutMs, LATE_HISTORY_TIMEOUT_MS) : historyTimeoutMs };
  return applyDrafts(now, deps, await Promise.all(missing.map((hour) => draftRound(market, hour, at))));
}

async function applyDrafts(now: Date, deps: CycleDeps, drafts: readonly RoundDraft[]): Promise<readonly number[]> {
  const { newEm, market, log } = deps;
  const turned = await newEm().transactional(async (transaction) => {
    await lockUntilCommit(transaction, 'cycle');
    await removeUnopened(transaction, now);
    const stored = await storeAll(transaction, drafts, market);
    const closed = await close(transaction, now);
    const opened = await open(transaction, now);
    await forgetOldEvents(transaction, now);
    await forgetOldRefusals(transaction, now);
    // Late, since others that append to the log wait for the commit, and before anything of the outcome is known.
    const closedEvents: NewEvent[] = [];
    for (const { id: roundId, entries } of closed) {
      const checkpoint = await appendRound(transaction, deps, { roundId, at: now });
      closedEvents.push({ kind: 'ROUND_CLOSED', roundId, payload: { totalEntries: entries, checkpoint } });
    }
    await appendEvents(transaction, now, [
      ...stored.map(askingEvent('ROUND_STORED')),
      ...closedEvents,
      ...opened.map(askingEvent('ROUND_OPENED')),
    ]);
    const waiting = await transaction.find(Round, { status: 'resolving' }, { fields: ['id'], orderBy: { id: 'asc' } });
    return { closed, opened, waiting: waiting.map(({ id }) => id) };
  });
  for (const round of turned.closed) log.info({ ...logFields(round), entries: round.entries }, 'Round closed');
  for (const round of turned.opened) log.info({ ...logFields(round), question: round.question }, 'Round opened');
  return turned.waiting;
}

/** The running and the next hour where their rounds are not stored yet. */
async function missingHours(em: SqlEntityManager, now: Date): Promise<readonly Date[]> {
  const running = hourOf(now);
  const stored = await em.find(Round, { startTime: { $gte: running } }, { fields: ['startTime', 'status'] });
  const known = new Map(stored.map(({ startTime, status }) => [startTime.getTime(), status]));
  // An operator may have declared coming rounds void: the next one is the first that will be played.
  let coming = addHours(running, 1);
  while (known.get(coming.getTime()) === 'void') coming = addHours(coming, 1);
  return [running, coming].filter((hour) => !known.has(hour.getTime()));
}

/** A slow turn may end after another process's turn of a later hour: rounds before that hour are skipped. */
async function storeAll(
  transaction: SqlEntityManager,
  drafts: readonly RoundDraft[],
  market: Market,
): Promise<readonly StartedRound[]> {
  if (drafts.length === 0) return [];
  const latest = await latestOpened(transaction);
  const hours = drafts.map(({ startTime }) => startTime);
  // An insert that finds a round would use up an id.
  const others = await roundsOf(transaction).select('start_time').where('start_time', 'in', hours).execute();
  const known = new Set(others.map(({ start_time: start }) => start.getTime()));
  const stored: StartedRound[] = [];
  for (const draft of drafts) {
    const { startTime, question } = draft;
    if (known.has(startTime.getTime()) || (latest !== null && startTime <= latest)) continue;
    stored.push({ id: await storeRound(transaction, draft, market), startTime, ...question });
  }
  return stored;
}

/** The hour of the latest round that has been open. */
async function latestOpened(transaction: SqlEntityManager): Promise<Date | null> {
  const opened = roundsOf(transaction).where('status', 'in', ['active', 'resolving', 'resolved']);
  const found = await opened.select(({ fn }) => fn.max('start_time').as('start')).executeTakeFirst();
  return found?.start ?? null;
}

function roundsOf(em: SqlEntityManager) {
  return em.getKysely<DB>().selectFrom('rounds');
}

/** Deletes rounds whose whole hour passed while the service was down. */
async function removeUnopened(transaction: SqlEntityManager, now: Date): Promise<void> {
  const rounds = transaction.getKysely<DB>().deleteFrom('rounds');
  await rounds.where('status', '=', 'upcoming').where('end_time', '<=', now).execute();
}

/** Agents are shown their refusals of 168 rounds: those of two weeks are kept, in case of missed hours. */
async function forgetOldRefusals(transaction: SqlEntityManager, now: Date): Promise<void> {
  const old = roundsOf(transaction).select('id').where('start_time', '<', addHours(now, -336));
  const refusals = transaction.getKysely<DB>().deleteFrom('refusals');
  await refusals.where('round_id', '<=', old.orderBy('start_time', 'desc').limit(1)).execute();
}

interface StartedRound extends Pick<Round, 'id' | 'startTime' | 'choices'> {
  readonly question: string;
  readonly questionType: QuestionType;
}

/** Waits for predictions that are being inserted: they hold a lock on the round's row. */
function close(transaction: SqlEntityManager, now: Date) {
  return transaction
    .getKysely<DB>()
    .updateTable('rounds')
    .set({ status: 'resolving' })
    .where('status', '=', 'active')
    .where('end_time', '<=', now)
    .returning(['id', 'start_time as startTime', 'total_entries as entries'])
    .execute();
}

function open(transaction: SqlEntityManager, now: Date) {
  return transaction
    .getKysely<DB>()
    .updateTable('rounds')
    .set({ status: 'active', opened_at: now })
    .where('status', '=', 'upcoming')
    .where('start_time', '<=', now)
    .where('end_time', '>', now)
    .returning(['id', 'start_time as startTime', 'question', 'question_type as questionType', 'choices'])
    .execute();
}

/** The payload carries the question, so that followers need no request for it. */
function askingEvent(kind: 'ROUND_STORED' | 'ROUND_OPENED') {
  return ({ id, startTime, question, questionType, choices }: StartedRound): NewEvent => ({
    kind,
    roundId: id,
    payload: { question, questionType, choices, startsAt: startTime, endsAt: addHours(startTime, 1) },
  });
}

/** Stores a round as `upcoming` with its assets. */
async function storeRound(
  transaction: SqlEntityManager,
  { startTime, question }: RoundDraft,
  market: Market,
): Promise<number> {
  const { assets, params, ...wording } = question;
  const id = await transaction.insert(Round, {
    ...wording,
    ...params,
    startTime,
    endTime: addHours(startTime, 1),
    status: 'upcoming',
    source: market.source,
    rulesVersion: RULES_VERSION,
  });
  const rows = assets.map((asset, position) => {
    return { round_id: id, asset, position, provider_id: market.providerIds[asset] };
  });
  await insertRows(transaction, 'round_assets', rows);
  return id;
}
