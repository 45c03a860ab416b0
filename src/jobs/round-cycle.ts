import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { Round } from '../entities/round.ts';
import { appendEvents, forgetOldEvents, type NewEvent } from '../feed/event-log.ts';
import type { Market } from '../market/market.ts';
import { addHours, hourOf } from '../rules/hours.ts';
import { type RoundDraft, draftRound } from './round-drafts.ts';
import { storeRound } from './store-round.ts';

export interface CycleNeeds {
  readonly newEm: () => SqlEntityManager;
  readonly market: Market;
}

/** Any fixed number: it names the cycle among PostgreSQL's advisory locks. */
const CYCLE_LOCK = 48_601;

/**
 * Brings the rounds to `now`: stores the running and the next hour's round, removes rounds whose hour passed unopened,
 * closes what is over, opens what is due. A function of the database and the time alone: missed runs cost nothing, and
 * running it twice, or in many processes at once, changes nothing. Answers the ids of rounds that wait for an outcome.
 */
export async function reconcile({ newEm, market }: CycleNeeds, now: Date): Promise<readonly number[]> {
  const drafts = await missingRounds(newEm(), market, now);
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

/** Drafts of the running and the next hour's rounds where they are not stored yet. Reads the market: no locks held. */
async function missingRounds(em: SqlEntityManager, market: Market, now: Date): Promise<readonly RoundDraft[]> {
  const hours = [hourOf(now), addHours(hourOf(now), 1)];
  const stored = await em.find(Round, { startTime: { $in: hours } }, { fields: ['startTime'] });
  const known = new Set(stored.map(({ startTime }) => startTime.getTime()));
  const missing = hours.filter((hour) => !known.has(hour.getTime()));
  return Promise.all(missing.map((hour) => draftRound(market, hour, now)));
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
