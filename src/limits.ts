import { HOUR, MINUTE } from './rules/hours.ts';

/** Whose requests are counted together. */
type Scope = 'ip' | 'agent';

interface Limit {
  /** Requests in a window. */
  readonly requests: number;
  /** Length of the window in real milliseconds, counted from its first request. */
  readonly windowMs: number;
  readonly scope: Scope;
}

/** The limits of spec section 8, one row an endpoint. Scope `agent` means that the endpoint needs a key. */
export const LIMITS = {
  register: { requests: 3, windowMs: HOUR, scope: 'ip' },
  me: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  rotateKey: { requests: 3, windowMs: HOUR, scope: 'agent' },
  activate: { requests: 5, windowMs: HOUR, scope: 'agent' },
  currentRound: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  predictions: { requests: 30, windowMs: HOUR, scope: 'agent' },
  results: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  entries: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  recentRounds: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  leaderboard: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  agent: { requests: 60, windowMs: MINUTE, scope: 'ip' },
  market: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  stats: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  health: { requests: 120, windowMs: MINUTE, scope: 'ip' },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** The budget that each root field of the schema spends: the one of the endpoint that it stands behind. */
export const ROOT_FIELD_LIMITS = {
  currentRound: 'currentRound',
  nextRound: 'currentRound',
  schedule: 'currentRound',
  round: 'results',
  rounds: 'recentRounds',
  agent: 'agent',
  leaderboard: 'leaderboard',
  me: 'me',
  market: 'market',
  stats: 'stats',
  health: 'health',
  register: 'register',
  submitPrediction: 'predictions',
  rotateKey: 'rotateKey',
  activate: 'activate',
} as const satisfies Record<string, LimitName>;

/** How long the lists are: when nothing is asked for, and at the most. */
export const PAGE_SIZES = {
  recentRounds: { usual: 10, most: 100 },
  leaderboard: { usual: 50, most: 100 },
  entries: { usual: 1000, most: 1000 },
} as const;

export interface PageSize {
  readonly usual: number;
  readonly most: number;
}

/** The largest body that a REST endpoint reads. */
export const BODY_BYTES = 16 * 1024;
