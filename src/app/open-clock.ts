import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type Clock, type ClockAnchor, clockFrom, realNow, serviceTime, stepSentence } from '../clock.ts';
import { withStartLock, type StartLockOptions } from '../database/start-lock.ts';
import { Event } from '../entities/event.ts';
import { Platform } from '../entities/platform.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';
import { StartError } from '../rules/errors.ts';

/** The speed of a service's clock, and how far it is ahead of real time. */
export interface ClockFacts {
  readonly speed: number;
  readonly aheadMs: number;
}

export interface ClockSettings {
  /** Service time when the database is created; default: real time. */
  readonly clockStart?: Date | undefined;
  readonly clockSpeed: number;
  /** Throws if the database's prices do not fit this clock; called before anything is written. */
  readonly checkPrices?: ((stored: string | null, clock: ClockFacts) => void) | undefined;
}

const BEHIND_AT_MOST_MS = 5 * MINUTE;

export async function openClock(
  settings: ClockSettings,
  deps: StartLockOptions & { newEm: () => SqlEntityManager },
): Promise<Clock> {
  const { newEm, log } = deps;
  const anchor = await withStartLock(deps, () => anchorClock(newEm(), settings, realNow()));
  return clockFrom(anchor, {
    onStep: (step) => log.warn({ seconds: Math.round(step.ms / SECOND) }, stepSentence(step)),
  });
}

/**
 * On real time the anchor never changes, and a clock more than 5 min behind the newest event throws a `StartError`. Otherwise
 * time has run on at the old speed, and a new speed begins now. If `checkPrices` refuses, nothing is written: a clock that ran
 * ahead cannot go back.
 */
export async function anchorClock(em: SqlEntityManager, settings: ClockSettings, real: Date): Promise<ClockAnchor> {
  return em.transactional(async (transaction) => {
    const platform = await transaction.findOne(Platform, { id: 1 });
    if (platform === null) {
      const anchor = { realAt: real, serviceAt: settings.clockStart ?? real, speed: settings.clockSpeed };
      transaction.create(Platform, {
        id: 1,
        createdAt: anchor.serviceAt,
        ...columnsOf(anchor),
        boardsUpdatedAt: anchor.serviceAt,
        resolvedRounds: 0,
        decidedPredictions: 0,
        decidedConfidenceSum: 0,
        lastSeq: 0,
      });
      return anchor;
    }
    const anchor = nextAnchor(platform, settings, { real, reachedAt: await newestInstant(transaction, platform) });
    const aheadMs = serviceTime(anchor, real).getTime() - real.getTime();
    settings.checkPrices?.(platform.market ?? null, { speed: anchor.speed, aheadMs });
    Object.assign(platform, columnsOf(anchor));
    return anchor;
  });
}

/** `reachedAt` is the latest known service time: the machine's clock may have been set back since. */
function nextAnchor(
  platform: Platform,
  settings: ClockSettings,
  { real, reachedAt }: Record<'real' | 'reachedAt', Date>,
): ClockAnchor {
  const before = { realAt: platform.clockRealAt, serviceAt: platform.clockServiceAt, speed: platform.clockSpeed };
  if (isOnRealTime(before, settings)) {
    refuseBehind(real, reachedAt);
    return { ...before, reachedAt };
  }
  const ran = serviceTime(before, real);
  if (before.speed === settings.clockSpeed && ran >= reachedAt) return before;
  return { realAt: real, serviceAt: ran > reachedAt ? ran : reachedAt, speed: settings.clockSpeed };
}

function isOnRealTime({ speed, realAt, serviceAt }: ClockAnchor, { clockSpeed }: ClockSettings): boolean {
  return speed === 1 && clockSpeed === 1 && serviceAt.getTime() === realAt.getTime();
}

export function refuseBehind(real: Date, reachedAt: Date): void {
  if (reachedAt.getTime() - real.getTime() <= BEHIND_AT_MOST_MS) return;
  throw new StartError(
    `The machine's clock shows ${real.toISOString()}, which is more than 5 minutes behind the database's newest event of ` +
      `${reachedAt.toISOString()}: set the clock right, or, if it is right, start again after that time.`,
  );
}

async function newestInstant(transaction: SqlEntityManager, { clockServiceAt }: Platform): Promise<Date> {
  const [newest] = await transaction.find(Event, {}, { orderBy: { seq: 'desc' }, limit: 1 });
  return newest !== undefined && newest.at > clockServiceAt ? newest.at : clockServiceAt;
}

function columnsOf({ realAt, serviceAt, speed }: ClockAnchor) {
  return { clockRealAt: realAt, clockServiceAt: serviceAt, clockSpeed: speed };
}
