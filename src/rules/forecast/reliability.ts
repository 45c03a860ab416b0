import { vectorsIn } from './forecast.ts';

export const PROBABILITY_SOURCES = ['forecast', 'price', 'crowd'] as const;

type ProbabilitySource = (typeof PROBABILITY_SOURCES)[number];

/** Tenths: 0 to below 0.1, and so on; the last one includes 1. */
export const BINS = 10;

const MILLIONTHS = 1_000_000;

/** Counts over the probabilities within a tenth; `sum` adds the probabilities in millionths. */
export interface BinSums {
  readonly minute: number;
  readonly judged: ProbabilitySource;
  readonly bin: number;
  readonly n: number;
  readonly hits: number;
  readonly sum: number;
}

export interface ResolvedForecast {
  readonly minute: number;
  readonly entries: number;
  readonly probabilities: readonly number[];
  readonly said: readonly number[];
  readonly winner: number;
}

/** `before` and these. Without entries there is no crowd. Whole numbers do not depend on the order. */
export function binSums(resolved: readonly ResolvedForecast[], before: readonly BinSums[] = []): readonly BinSums[] {
  const found = new Map(before.map((one) => [`${one.minute} ${one.judged} ${one.bin}`, one]));
  for (const { minute, entries, probabilities, said, winner } of resolved) {
    const [price = [], crowd = []] = vectorsIn(said, probabilities.length);
    const vectors = { forecast: probabilities, price, crowd: entries === 0 ? [] : crowd };
    for (const judged of PROBABILITY_SOURCES)
      for (const [answer, probability] of vectors[judged].entries()) {
        const bin = Math.min(BINS - 1, Math.floor(probability * BINS));
        const key = `${minute} ${judged} ${bin}`;
        const { n, hits, sum } = found.get(key) ?? { n: 0, hits: 0, sum: 0 };
        const isHit = Number(answer === winner);
        found.set(key, {
          minute,
          judged,
          bin,
          n: n + 1,
          hits: hits + isHit,
          sum: sum + Math.round(probability * MILLIONTHS),
        });
      }
  }
  return [...found.values()];
}

export function reliabilityOf(sums: readonly BinSums[], minute: number) {
  return Array.from({ length: BINS }, (_, bin) => {
    const figuresOf = (judged: ProbabilitySource) => {
      const own = sums.find((one) => one.minute === minute && one.judged === judged && one.bin === bin);
      if (own === undefined) return { n: 0, meanProbability: null, hitRate: null };
      return { n: own.n, meanProbability: own.sum / MILLIONTHS / own.n, hitRate: own.hits / own.n };
    };
    const [forecast, price, crowd] = [figuresOf('forecast'), figuresOf('price'), figuresOf('crowd')];
    return { from: bin / BINS, to: (bin + 1) / BINS, forecast, price, crowd };
  });
}
