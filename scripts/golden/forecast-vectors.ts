import { withinBounds } from '../../src/rules/bounds.ts';
import { CHECKPOINTS, forecastAt } from '../../src/rules/forecast/forecast.ts';
import { EXPERTS, NO_TOTALS, totalsAfter } from '../../src/rules/forecast/mixture.ts';
import { newPooling } from '../../src/rules/forecast/pooling.ts';
import { type Given, saidBy } from '../../src/rules/forecast/said.ts';
import { uniforms } from '../../src/rules/statistics/special-functions.ts';

const ROUNDS = 24;

/** Forecasts of one checkpoint over some rounds; each starts from the totals of those before. */
export function forecastVectors(): readonly object[] {
  const draw = uniforms(20_261_124);
  let totals = NO_TOTALS;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const k = [2, 4, 8][round % 3] ?? 2;
    // The price has settled the last question.
    const price = round === ROUNDS - 1 ? settledOf(k) : priceOf(k, draw);
    // Two at each grid point, except for the last one.
    const given = Array.from({ length: (round * 5) % 23 }, (__, place) => givenOf(Math.floor(place / 2), k, draw));
    const references = Array.from({ length: 12 }, () => (draw() < 0.1 ? settledOf(k) : priceOf(k, draw)));
    const pooling = newPooling(k);
    for (const said of saidBy(given)) pooling.add(said, references[said.point] ?? []);
    const means = pooling.means();
    const forecast = forecastAt(price, means, totals);
    const winner = Math.floor(draw() * k);
    const line = { price, given, references, means, totals, ...forecast, winner };
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

function givenOf(point: number, k: number, draw: Draw): Given {
  const n = Math.floor(draw() * 60);
  const sum = Math.round(n * (draw() - 0.4) * 200_000);
  return {
    point,
    pickIndex: Math.floor(draw() * k),
    confidence: Math.floor(draw() * 101),
    // The figures vary about the mean.
    edges: { n, sum, squareSum: n === 0 ? 0 : Math.round((sum * sum) / n + n * 1e10 * draw()) },
  };
}
