import { clipped } from '../bounds.ts';
import { isSettled } from '../edge.ts';
import { exp, ln } from '../statistics/special-functions.ts';

/*
 * What a prediction adds to the price, apart from the price: the difference of two logarithms, one for each answer. It is
 * taken at the moment of the prediction and put on the price of a later one, so that what somebody knew early is not
 * lost while the price moves.
 */

/**
 * ln p - ln q for each answer, p being the prediction's probabilities, clipped, and q what the price alone said then: nobody
 * moves the pool further than somebody who gives an answer 99 or 1 in 100. 0 for all where the price had settled the question:
 * there was nothing left to know.
 */
export function residualOf(forecast: readonly number[], reference: readonly number[]): readonly number[] {
  if (isSettled(reference)) return forecast.map(() => 0);
  return forecast.map((probability, index) => ln(clipped(probability)) - ln(reference[index] ?? Number.NaN));
}

/**
 * softmax(ln q + `strength` x `residual`): the price of a moment, moved by what is known beyond it. 1 takes the residual
 * as it is. What the price has settled stays settled.
 */
export function moved(price: readonly number[], residual: readonly number[], strength: number): readonly number[] {
  const weights = price.map((probability, index) => probability * exp(strength * (residual[index] ?? Number.NaN)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
