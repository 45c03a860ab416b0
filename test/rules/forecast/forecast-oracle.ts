/*
 * The forecast by its definition, written apart from src: logarithms where src multiplies, bisection where src sorts, one
 * prediction after the other where src counts alike ones together.
 */

/** A prediction, and what its agent's decided rounds came to. */
export interface Said {
  readonly pick: number;
  readonly confidence: number;
  readonly reference: readonly number[];
  readonly edges: readonly number[];
  /** The grid point at which it was made; unset: one of its own. */
  readonly point?: number;
}

/** What the price and each candidate say, in the order of docs/forecast.md; the predictions come in that of submission. */
export function expertsBy(price: readonly number[], said: readonly Said[]): readonly (readonly number[])[] {
  const vectors = said.map((one) => vectorOf(one, price.length));
  const residuals = said.map((one, place) => residualBy(vectors[place] ?? [], one.reference));
  const all = said.map(() => 1);
  const lows = said.map(({ edges }) => lowOf(edges));
  const tenth =
    lows
      .toSorted((one, other) => other - one)
      .slice(0, 10)
      .at(-1) ?? 0;
  const pool = (weights: readonly number[], strength: number): readonly number[] => {
    const mean = meanBy(residuals, weights);
    return mean === null ? price : softmax(price.map((p, index) => Math.log(p) + strength * (mean[index] ?? 0)));
  };
  return [
    price,
    meanBy(vectors, all) ?? price,
    pool(all, 0.5),
    pool(all, 1),
    pool(all, 1.73),
    pool(
      said.map(({ edges }) => recordBy(edges)),
      1.73,
    ),
    pool(
      said.map(({ edges }) => Number(millionthsOf(edges) > 0)),
      1,
    ),
    pool(
      lows.map((low) => Number(low > 0 && low >= tenth)),
      1,
    ),
    pool(
      said.map((_, place) => Math.E ** (Math.sqrt(untilPointOf(said, place)) - Math.sqrt(said.length))),
      1,
    ),
  ];
}

/** The mixture of what the experts say, after they have lost this much. */
export function mixtureBy(experts: readonly (readonly number[])[], lost: readonly number[]): readonly number[] {
  const prior = experts.map((_, place) => (place === 0 ? 0.5 : 0.5 / (experts.length - 1)));
  const kept = prior.map((one, place) => one * Math.exp(-(lost[place] ?? 0)));
  const g = (experts[0] ?? []).map((_, winner) => {
    const parts = experts.map((vector, place) => (kept[place] ?? 0) * Math.exp(-brierBy(vector, winner)));
    return -Math.log(total(parts) / total(kept));
  });
  let [low, high] = [Math.min(...g), Math.max(...g) + 2];
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    if (total(g.map((one) => Math.max(0, middle - one))) > 2) high = middle;
    else low = middle;
  }
  return g.map((one) => Math.max(0, low - one) / 2);
}

export function brierBy(vector: readonly number[], winner: number): number {
  return total(vector.map((p, place) => (p - Number(place === winner)) ** 2));
}

function vectorOf({ pick, confidence }: Said, k: number): readonly number[] {
  const c = Math.max(confidence / 100, 1 / k);
  return Array.from({ length: k }, (_, place) => (place === pick ? c : (1 - c) / (k - 1)));
}

function residualBy(vector: readonly number[], reference: readonly number[]): readonly number[] {
  if (reference.some((q) => q === 1)) return vector.map(() => 0);
  return vector.map((p, place) => Math.log(Math.min(0.99, Math.max(0.01, p)) / (reference[place] ?? NaN)));
}

function meanBy(vectors: readonly (readonly number[])[], weights: readonly number[]): readonly number[] | null {
  const [first = []] = vectors;
  const sum = total(weights);
  if (sum === 0) return null;
  return first.map(
    (_, index) => total(vectors.map((vector, place) => (weights[place] ?? 0) * (vector[index] ?? 0))) / sum,
  );
}

/** How many had come by the end of the grid point of the one at `place`. */
function untilPointOf(said: readonly Said[], place: number): number {
  const point = said[place]?.point;
  return point === undefined ? place + 1 : said.filter((one) => (one.point ?? Infinity) <= point).length;
}

/** In whole billionths. */
function recordBy(edges: readonly number[]): number {
  return Math.max(0, Math.floor((millionthsOf(edges) * 1000) / (edges.length + 30)));
}

/** The sum as whole numbers: as fractions, edges that cancel out leave a rest on either side of 0. */
function millionthsOf(edges: readonly number[]): number {
  return total(edges.map((edge) => Math.round(edge * 1e6)));
}

function softmax(logs: readonly number[]): readonly number[] {
  const most = Math.max(...logs);
  const powers = logs.map((log) => Math.exp(log - most));
  return powers.map((power) => power / total(powers));
}

/** Where the 95 % interval of the mean begins; 0 below 20 rounds. Student's t by its first three terms. */
function lowOf(edges: readonly number[]): number {
  const n = edges.length;
  if (n < 20) return 0;
  const mean = total(edges) / n;
  const variance = total(edges.map((edge) => (edge - mean) ** 2)) / (n - 1);
  const [z, v] = [1.959963984540054, n - 1];
  const t =
    z +
    (z ** 3 + z) / (4 * v) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * v ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * v ** 3);
  return mean - t * Math.sqrt(variance / n);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
