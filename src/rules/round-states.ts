import { ARENA_BONUSES } from './ranking.ts';

/**
 * A round waits (`upcoming`), takes predictions (`active`), is over but undecided (`resolving`), and ends as `resolved`
 * or `void` (spec 3.2).
 */
export const ROUND_STATUSES = ['upcoming', 'active', 'resolving', 'resolved', 'void'] as const;

export type RoundStatus = (typeof ROUND_STATUSES)[number];

/** Whether its hour has ended, or it was declared void: it takes no predictions any more. Never becomes false again. */
export function isOver(status: RoundStatus): boolean {
  return OVER_STATUSES.some((over) => over === status);
}

/** Whether it has ended for good, with an outcome or without. */
export function isDecided(status: RoundStatus): status is 'resolved' | 'void' {
  return status === 'resolved' || status === 'void';
}

export const OVER_STATUSES = ['resolving', 'resolved', 'void'] as const satisfies readonly RoundStatus[];

export const VOID_REASONS = ['no_prices', 'sources_disagree', 'tie', 'admin'] as const;

export type VoidReason = (typeof VOID_REASONS)[number];

/** The most arena points that one round's rank bonuses pay: 10 x 200 + 500. */
export const ARENA_POINTS_POOL = ARENA_BONUSES.reduce((pool, { upToPlace, points }) => pool + upToPlace * points, 0);

/** Crypto, the only vertical. */
export const VERTICAL_ID = 1;
