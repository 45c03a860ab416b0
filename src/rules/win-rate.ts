import { fraction, roundHalfAway } from './fraction.ts';

/** 100 x wins / competitions in percent, two decimals, half away from zero; 0 when there are no competitions. */
export function winRatePct(wins: number, competitions: number): number {
  return competitions === 0 ? 0 : Number(roundHalfAway(fraction(100 * wins, competitions), 2));
}
