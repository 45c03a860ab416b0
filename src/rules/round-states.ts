import { ARENA_BONUSES } from './ranking.ts';

/** In order: waiting, open for predictions, over but undecided, and the two ends (spec 3.2). */
export const ROUND_STATUSES = ['upcoming', 'active', 'resolving', 'resolved', 'void'] as const;

export type RoundStatus = (typeof ROUND_STATUSES)[number];

/** The hour has ended or the round is void. Never becomes false again. */
export function isOver(status: RoundStatus): boolean {
  return OVER_STATUSES.some((over) => over === status);
}

export function isDecided(status: RoundStatus): status is (typeof DECIDED_STATUSES)[number] {
  return DECIDED_STATUSES.some((decided) => decided === status);
}

export const DECIDED_STATUSES = ['resolved', 'void'] as const satisfies readonly RoundStatus[];

export const UNDECIDED_STATUSES = ['upcoming', 'active', 'resolving'] as const satisfies readonly RoundStatus[];

export const OVER_STATUSES = ['resolving', 'resolved', 'void'] as const satisfies readonly RoundStatus[];

export const VOID_REASONS = ['no_prices', 'sources_disagree', 'tie', 'admin'] as const;

export type VoidReason = (typeof VOID_REASONS)[number];

/** The most arena points that a round can pay: 10 x 200 + 500. */
export const ARENA_POINTS_POOL = ARENA_BONUSES.reduce((pool, { upToPlace, points }) => pool + upToPlace * points, 0);

/** The only vertical of the specification's `vertical_id`: crypto. */
export const VERTICAL_ID = 1;
