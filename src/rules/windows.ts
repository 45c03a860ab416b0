import { DAY } from './hours.ts';

/** The leaderboard's windows (spec 4.10). */
export const PERIODS = ['daily', 'weekly', 'monthly', 'alltime'] as const;

export type Period = (typeof PERIODS)[number];

/** How far each window reaches back from the newest resolved round's end, in milliseconds; null: to the beginning. */
export const WINDOW_LENGTHS: Readonly<Record<Period, number | null>> = {
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30 * DAY,
  alltime: null,
};

/** The far end of a window, itself outside; null when the window has none. */
export function windowStart(period: Period, newestEnd: Date): Date | null {
  const length = WINDOW_LENGTHS[period];
  return length === null ? null : new Date(newestEnd.getTime() - length);
}

/** Whether a round that ended at `roundEnd` counts: exactly one window's length before the newest end it does not. */
export function inWindow(period: Period, newestEnd: Date, roundEnd: Date): boolean {
  const start = windowStart(period, newestEnd);
  return roundEnd <= newestEnd && (start === null || roundEnd > start);
}
