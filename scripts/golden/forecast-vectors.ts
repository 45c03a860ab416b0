import { withinBounds } from '../../src/rules/bounds.ts';
import type { Entry } from '../../src/rules/forecast/candidates.ts';
import { CHECKPOINTS, forecastAt } from '../../src/rules/forecast/forecast.ts';
import { EXPERTS, NO_TOTALS, totalsAfter } from '../../src/rules/forecast/mixture.ts';
import { uniforms } from '../../src/rules/statistics/special-functions.ts';

const ROUNDS = 24;

/** The forecast of one checkpoint over some rounds, each made with the totals that the ones before have left. */
export function forecastVectors(): readonly object[] {
  const draw = uniforms(20_261_124);
  let totals = NO_TOTALS;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const k = [2, 4, 8][round % 3] ?? 2;
    // In the last of them the price has settled the question.
    const price = round === ROUNDS - 1 ? settledOf(k) : priceOf(k, draw);
    const entries = Array.from({ length: (round * 5) % 23 }, (__, place) => entryOf(place + 1, k, draw));
    const forecast = forecastAt(price, entries, totals);
    const winner = Math.floor(draw() * k);
    const line = { price, entries, totals, ...forecast, winner };
    totals = totalsAfter(totals, forecast.said, winner);
    return line;
  });
  return [{ checkpoints: CHECKPOINTS, experts: EXPERTS }, ...rounds];
}

type Draw = () => number;

function priceOf(k: number, draw: Draw): readonly number[] {
  const weights = Array.from({ length: k }, () => draw());
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return withinBounds(weights.map((weight) => weight / sum));
}

function settledOf(k: number): readonly number[] {
  return Array.from({ length: k }, (_, place) => Number(place === 0));
}

function entryOf(id: number, k: number, draw: Draw): Entry {
  const n = Math.floor(draw() * 60);
  const sum = n * (draw() - 0.4) * 0.2;
  return {
    id,
    pickIndex: Math.floor(draw() * k),
    confidence: Math.floor(draw() * 101),
    reference: draw() < 0.1 ? settledOf(k) : priceOf(k, draw),
    // Whatever the mean, the figures spread about it.
    edges: { n, sum, squareSum: n === 0 ? 0 : (sum * sum) / n + n * 0.01 * draw() },
  };
}
