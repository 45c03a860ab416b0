import type { ForecastRoundsQuery } from './documents/forecast.ts';
import { decimal } from './figures.ts';

interface JudgedCheckpoint {
  readonly minute: number;
  readonly rounds: number;
  readonly edge: { readonly mean: number; readonly low: number | null; readonly high: number | null } | null;
}

/** The forecast is judged by one figure at half of the hour. */
export const JUDGED_MINUTE = 30;

/** The verdict claims no more than the interval supports. */
export function arenaVerdict(checkpoints: readonly JudgedCheckpoint[]): string {
  const { rounds = 0, edge } = checkpoints.find(({ minute }) => minute === JUDGED_MINUTE) ?? {};
  if (edge?.low == null || edge.high == null) return `Too few rounds to tell yet: ${rounds} of 20`;
  const apart = `${Math.abs(edge.mean).toFixed(3)} ± ${((edge.high - edge.low) / 2).toFixed(3)}`;
  if (edge.low > 0) return `Arena beats the price by ${apart}`;
  if (edge.high < 0) return `The price beats the arena by ${apart}`;
  return `The price is as good as the arena: ${decimal(edge.mean)} ± ${((edge.high - edge.low) / 2).toFixed(3)}`;
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
