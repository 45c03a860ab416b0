import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { ClockAnchor } from './clock.ts';
import { serviceTime } from './clock.ts';
import { Event } from './entities/event.ts';
import { Platform } from './entities/platform.ts';

export interface ClockSettings {
  /** Where the service's time starts when the database is made; unset: at the real time. */
  readonly clockStart: Date | undefined;
  readonly clockSpeed: number;
}

/**
 * The anchor of the service's clock, kept in the database: a restart goes on from there, time having run on meanwhile
 * at the old speed, and a new speed holds from the restart. The first start writes the platform's row.
 */
export async function anchorClock(em: SqlEntityManager, settings: ClockSettings, real: Date): Promise<ClockAnchor> {
  return em.transactional(async (transaction) => {
    const platform = await transaction.findOne(Platform, { id: 1 });
    if (platform === null) {
      const anchor = { realAt: real, serviceAt: settings.clockStart ?? real, speed: settings.clockSpeed };
      transaction.create(Platform, firstPlatform(anchor));
      return anchor;
    }
    const before = { realAt: platform.clockRealAt, serviceAt: platform.clockServiceAt, speed: platform.clockSpeed };
    const ran = serviceTime(before, real);
    const reached = await newestInstant(transaction, before);
    if (before.speed === settings.clockSpeed && ran >= reached) return before;
    const anchor = { realAt: real, serviceAt: ran > reached ? ran : reached, speed: settings.clockSpeed };
    platform.clockRealAt = anchor.realAt;
    platform.clockServiceAt = anchor.serviceAt;
    platform.clockSpeed = anchor.speed;
    return anchor;
  });
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
