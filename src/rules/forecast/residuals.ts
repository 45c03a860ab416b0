import { clipped } from '../bounds.ts';
import { isSettled } from '../edge.ts';
import { exp, ln } from '../statistics/special-functions.ts';

/* A residual is measured at its prediction's moment and applied to later prices, so early knowledge is kept. */

/** ln p - ln q per answer, p clipped: no residual exceeds that of 0.99 or 0.01. 0 if the price is settled. */
export function residualOf(forecast: readonly number[], reference: readonly number[]): readonly number[] {
  if (isSettled(reference)) return forecast.map(() => 0);
  return forecast.map((probability, index) => ln(clipped(probability)) - ln(reference[index] ?? Number.NaN));
}

/** softmax(ln q + `strength` x `residual`); settled answers stay settled. */
export function movedPrice(price: readonly number[], residual: readonly number[], strength: number): readonly number[] {
  const weights = price.map((probability, index) => probability * exp(strength * (residual[index] ?? Number.NaN)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
