import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { Round } from '../entities/round.ts';
import { appendEvents, forgetOldEvents, type NewEvent } from '../feed/event-log.ts';
import type { Market } from '../market/market.ts';
import { addHours, hourOf, SECOND } from '../rules/hours.ts';
import { type RoundDraft, draftRound } from './round-drafts.ts';
import { storeRound } from './store-round.ts';

export interface CycleNeeds {
  readonly newEm: () => SqlEntityManager;
  readonly market: Market;
  /** How long the question of a coming hour may wait for prices, in real milliseconds; 5 s unless given. */
  readonly patienceMs?: number | undefined;
}

const PATIENCE_MS = 5 * SECOND;
/** The same where the running hour has no round yet. */
const LATE_PATIENCE_MS = SECOND;

/** Any fixed number: it names the cycle among PostgreSQL's advisory locks. */
const CYCLE_LOCK = 48_601;

/**
 * Brings the rounds to `now`: stores the running and the next hour's round, removes rounds whose hour passed unopened,
 * closes what is over, opens what is due. A function of the database and the time alone: missed runs cost nothing, and
 * running it twice, or in many processes at once, changes nothing. Answers the ids of rounds that wait for an outcome.
 */
export async function reconcile(needs: CycleNeeds, now: Date): Promise<readonly number[]> {
  const { newEm, market, patienceMs = PATIENCE_MS } = needs;
  const missing = await missingHours(newEm(), now);
  const isLate = missing.some((hour) => hour <= now);
  // The hour turns on time, however long the prices for the next question take.
  if (missing.length > 0 && !isLate) await bringTo(now, needs, []);
  // Reads the market: no locks held.
  const at = { now, patienceMs: isLate ? Math.min(patienceMs, LATE_PATIENCE_MS) : patienceMs };
  return bringTo(now, needs, await Promise.all(missing.map((hour) => draftRound(market, hour, at))));
}

function bringTo(now: Date, { newEm, market }: CycleNeeds, drafts: readonly RoundDraft[]): Promise<readonly number[]> {
  return newEm().transactional(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${CYCLE_LOCK})`.execute(transaction.getKysely());
    await removeUnopened(transaction, now);
    const stored = await storeAll(transaction, drafts, market);
    const closed = await close(transaction, now);
    const opened = await open(transaction, now);
    await forgetOldEvents(transaction, now);
    await appendEvents(transaction, now, [
      ...stored.map(event('ROUND_STORED')),
      ...closed.map(event('ROUND_CLOSED')),
      ...opened.map(event('ROUND_OPENED')),
    ]);
    const waiting = await transaction.find(Round, { status: 'resolving' }, { fields: ['id'], orderBy: { id: 'asc' } });
    return waiting.map(({ id }) => id);
  });
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

async function storeAll(
  transaction: SqlEntityManager,
  drafts: readonly RoundDraft[],
  market: Market,
): Promise<number[]> {
  const stored: number[] = [];
  for (const draft of drafts) {
    const id = await storeRound(transaction, draft, market);
    if (id !== null) stored.push(id);
  }
  return stored;
}

/** Rounds whose whole hour passed while the service was down never were. */
async function removeUnopened(transaction: SqlEntityManager, now: Date): Promise<void> {
  await sql`delete from rounds where status = 'upcoming' and end_time <= ${now}`.execute(transaction.getKysely());
}

/** Waits for predictions that are being inserted: they hold a lock on the round's row. */
async function close(transaction: SqlEntityManager, now: Date): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    update rounds set status = 'resolving' where status = 'active' and end_time <= ${now} returning id`.execute(
    transaction.getKysely(),
  );
  return rows.map(({ id }) => id);
}

async function open(transaction: SqlEntityManager, now: Date): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    update rounds set status = 'active'
    where status = 'upcoming' and start_time <= ${now} and end_time > ${now} returning id`.execute(
    transaction.getKysely(),
  );
  return rows.map(({ id }) => id);
}

function event(kind: NewEvent['kind']) {
  return (roundId: number): NewEvent => ({ kind, roundId, payload: {} });
}
