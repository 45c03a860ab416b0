import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type Clock, type ClockAnchor, clockFrom, realNow, serviceTime, stepSentence } from '../clock.ts';
import { withStartLock, type StartLockOptions } from '../database/start-lock.ts';
import { Event } from '../entities/event.ts';
import { Platform } from '../entities/platform.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';
import { StartError } from '../rules/errors.ts';

export interface ClockSettings {
  /** Where the service's time starts when the database is made; unset: at the real time. */
  readonly clockStart?: Date | undefined;
  readonly clockSpeed: number;
  /** Throws where the prices that a database has cannot go on by this clock; called before anything is written. */
  readonly checkPrices?: ((stored: string | null, clock: { speed: number; aheadMs: number }) => void) | undefined;
}

interface ClockDeps extends StartLockOptions {
  readonly newEm: () => SqlEntityManager;
}

/** A machine's clock that is further behind the newest event than this is wrong, or the events are. */
const BEHIND_AT_MOST_MS = 5 * MINUTE;

/** The service's clock, which runs on from the database's anchor. Throws as `anchorClock` does. */
export async function openClock(settings: ClockSettings, deps: ClockDeps): Promise<Clock> {
  const { newEm, log } = deps;
  const anchor = await withStartLock(deps, () => anchorClock(newEm(), settings, realNow()));
  return clockFrom(anchor, {
    onStep: (step) => log.warn({ seconds: Math.round(step.ms / SECOND) }, stepSentence(step)),
  });
}

/**
 * The anchor of the service's clock, kept in the database. The first start writes it, with the platform's row. A
 * database on real time keeps it for good, and the machine's clock is its time: whatever that says at one start changes
 * nothing for a later one. Throws a `StartError`, before anything is written, when the machine's clock is more than 5 min
 * behind such a database's newest event. In any other time a restart goes on from the anchor, time having run on
 * meanwhile at the old speed, and a new speed holds from the restart. A start that `checkPrices` refuses changes nothing:
 * a clock that has run ahead never comes back.
 */
export async function anchorClock(em: SqlEntityManager, settings: ClockSettings, real: Date): Promise<ClockAnchor> {
  return em.transactional(async (transaction) => {
    const platform = await transaction.findOne(Platform, { id: 1 });
    if (platform === null) {
      const anchor = { realAt: real, serviceAt: settings.clockStart ?? real, speed: settings.clockSpeed };
      transaction.create(Platform, firstPlatform(anchor));
      return anchor;
    }
    const anchor = nextAnchor(platform, settings, { real, reachedAt: await newestInstant(transaction, platform) });
    const aheadMs = serviceTime(anchor, real).getTime() - real.getTime();
    settings.checkPrices?.(platform.market ?? null, { speed: anchor.speed, aheadMs });
    Object.assign(platform, columnsOf(anchor));
    return anchor;
  });
}

interface Instants {
  readonly real: Date;
  /** The latest service time that is known to have been: the machine's clock may have been set back meanwhile. */
  readonly reachedAt: Date;
}

function nextAnchor(platform: Platform, settings: ClockSettings, { real, reachedAt }: Instants): ClockAnchor {
  const before = { realAt: platform.clockRealAt, serviceAt: platform.clockServiceAt, speed: platform.clockSpeed };
  if (isOnRealTime(before, settings)) {
    refuseBehind(real, reachedAt);
    return { ...before, reachedAt };
  }
  const ran = serviceTime(before, real);
  if (before.speed === settings.clockSpeed && ran >= reachedAt) return before;
  return { realAt: real, serviceAt: ran > reachedAt ? ran : reachedAt, speed: settings.clockSpeed };
}

/** Whether the machine's clock is the service's. */
function isOnRealTime({ speed, realAt, serviceAt }: ClockAnchor, { clockSpeed }: ClockSettings): boolean {
  return speed === 1 && clockSpeed === 1 && serviceAt.getTime() === realAt.getTime();
}

/** Throws a `StartError` where the machine's clock is too far behind what the database has reached. */
export function refuseBehind(real: Date, reachedAt: Date): void {
  if (reachedAt.getTime() - real.getTime() <= BEHIND_AT_MOST_MS) return;
  throw new StartError(
    `The machine's clock says ${real.toISOString()}, which is more than 5 minutes behind the database's newest event of ` +
      `${reachedAt.toISOString()}: set the clock right, or, if it is right, start again when it has come that far.`,
  );
}

async function newestInstant(transaction: SqlEntityManager, { clockServiceAt }: Platform): Promise<Date> {
  const [newest] = await transaction.find(Event, {}, { orderBy: { seq: 'desc' }, limit: 1 });
  return newest !== undefined && newest.at > clockServiceAt ? newest.at : clockServiceAt;
}

function columnsOf({ realAt, serviceAt, speed }: ClockAnchor) {
  return { clockRealAt: realAt, clockServiceAt: serviceAt, clockSpeed: speed };
}

function firstPlatform(anchor: ClockAnchor) {
  return {
    id: 1,
    createdAt: anchor.serviceAt,
    ...columnsOf(anchor),
    boardsUpdatedAt: anchor.serviceAt,
    resolvedRounds: 0,
    decidedPredictions: 0,
    decidedConfidenceSum: 0,
    lastSeq: 0,
  };
}
