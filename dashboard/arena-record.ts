import type { ForecastRoundsQuery } from './documents/forecast.ts';

interface Judged {
  readonly minute: number;
  readonly rounds: number;
  readonly edge: { readonly low: number | null; readonly high: number | null } | null;
}

/** The forecast is judged by one figure at half of the hour. */
export const JUDGED_MINUTE = 30;

/** The verdict claims no more than the interval supports. */
export function arenaVerdict(checkpoints: readonly Judged[]): string {
  const { rounds = 0, edge } = checkpoints.find(({ minute }) => minute === JUDGED_MINUTE) ?? {};
  if (edge?.low == null || edge.high == null) return `Too early to tell: ${rounds} of 20 rounds`;
  if (edge.low > 0) return 'Agents together have been better than the price so far';
  if (edge.high < 0) return 'The price has been better than the agents together so far';
  return 'Agents together and the price have been equally good so far';
}

/** Cumulative differences of the Brier scores of one minute, the oldest round first. */
export function gains(
  rounds: ForecastRoundsQuery['rounds']['nodes'],
  minute: number,
): { readonly at: string; readonly cumulative: number }[] {
  let cumulative = 0;
  return rounds.toReversed().flatMap(({ endTime: at, forecasts }) => {
    const { brier, priceBrier } = forecasts?.find((one) => one.minute === minute) ?? {};
    if (brier == null || priceBrier == null) return [];
    cumulative += priceBrier - brier;
    return [{ at, cumulative }];
  });
}
