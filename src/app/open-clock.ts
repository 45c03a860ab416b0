import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type Clock, type ClockAnchor, clockFrom, realNow, serviceTime, stepSentence } from '../clock.ts';
import { withStartLock, type StartLockOptions } from '../database/start-lock.ts';
import { Event } from '../entities/event.ts';
import { Platform } from '../entities/platform.ts';
import type { Logger } from '../logger.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';
import { StartError } from '../rules/errors.ts';

export interface ClockSettings {
  /** Where the service's time starts when the database is made; unset: at the real time. */
  readonly clockStart?: Date | undefined;
  readonly clockSpeed: number;
}

interface ClockDeps extends Pick<StartLockOptions, 'connection' | 'signal'> {
  readonly newEm: () => SqlEntityManager;
  readonly log: Pick<Logger, 'warn'>;
}

/** A machine's clock that is further behind the newest event than this is wrong, or the events are. */
const BEHIND_AT_MOST_MS = 5 * MINUTE;

/** The service's clock, which runs on from the database's anchor. Throws as `anchorClock` does. */
export async function openClock(settings: ClockSettings, { newEm, log, ...deps }: ClockDeps): Promise<Clock> {
  const anchor = await withStartLock({ ...deps, log }, () => anchorClock(newEm(), settings, realNow()));
  return clockFrom(anchor, {
    onStep: (step) => log.warn({ seconds: Math.round(step.ms / SECOND) }, stepSentence(step)),
  });
}

/**
 * The anchor of the service's clock, kept in the database. The first start writes it, with the platform's row. A
 * database on real time keeps it for good, and the machine's clock is its time: whatever that says at one start changes
 * nothing for a later one. Throws a `StartError`, before anything is written, when the machine's clock is more than 5 min
 * behind such a database's newest event. In any other time a restart goes on from the anchor, time having run on
 * meanwhile at the old speed, and a new speed holds from the restart.
 */
export async function anchorClock(em: SqlEntityManager, settings: ClockSettings, real: Date): Promise<ClockAnchor> {
  return em.transactional(async (transaction) => {
    const platform = await transaction.findOne(Platform, { id: 1 });
    if (platform === null) {
      const anchor = { realAt: real, serviceAt: settings.clockStart ?? real, speed: settings.clockSpeed };
      transaction.create(Platform, firstPlatform(anchor));
      return anchor;
    }
    const before = anchorOf(platform);
    const reachedAt = await newestInstant(transaction, before);
    if (isOnRealTime(platform, settings)) {
      refuseBehind(real, reachedAt);
      return { ...before, reachedAt };
    }
    const ran = serviceTime(before, real);
    if (before.speed === settings.clockSpeed && ran >= reachedAt) return before;
    const anchor = { realAt: real, serviceAt: ran > reachedAt ? ran : reachedAt, speed: settings.clockSpeed };
    platform.clockRealAt = anchor.realAt;
    platform.clockServiceAt = anchor.serviceAt;
    platform.clockSpeed = anchor.speed;
    return anchor;
  });
}

function anchorOf({ clockRealAt, clockServiceAt, clockSpeed }: Platform): ClockAnchor {
  return { realAt: clockRealAt, serviceAt: clockServiceAt, speed: clockSpeed };
}

/** Whether the machine's clock is the service's. */
function isOnRealTime({ clockSpeed, clockRealAt, clockServiceAt }: Platform, settings: ClockSettings): boolean {
  return clockSpeed === 1 && settings.clockSpeed === 1 && clockServiceAt.getTime() === clockRealAt.getTime();
}

function refuseBehind(real: Date, reachedAt: Date): void {
  if (reachedAt.getTime() - real.getTime() <= BEHIND_AT_MOST_MS) return;
  throw new StartError(
    `The machine's clock says ${real.toISOString()}, which is more than 5 minutes behind the database's newest event of ` +
      `${reachedAt.toISOString()}: set the clock right, or, if it is right, start again when it has come that far.`,
  );
}

/** The latest service time that is known to have been: the machine's clock may have been set back meanwhile. */
async function newestInstant(transaction: SqlEntityManager, anchor: ClockAnchor): Promise<Date> {
  const [newest] = await transaction.find(Event, {}, { orderBy: { seq: 'desc' }, limit: 1 });
  return newest !== undefined && newest.at > anchor.serviceAt ? newest.at : anchor.serviceAt;
}

function firstPlatform(anchor: ClockAnchor) {
  return {
    id: 1,
    createdAt: anchor.serviceAt,
    clockRealAt: anchor.realAt,
    clockServiceAt: anchor.serviceAt,
    clockSpeed: anchor.speed,
    boardsUpdatedAt: anchor.serviceAt,
    resolvedRounds: 0,
    decidedPredictions: 0,
    decidedConfidenceSum: 0,
    lastSeq: 0,
  };
}
