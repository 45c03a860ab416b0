import { forecastOf, type PickedAnswer } from '../edge.ts';
import { exp } from '../statistics/special-functions.ts';
import { residualOf } from './residuals.ts';
import type { EqualPredictions, PointPredictions, SkilledPredictions } from './said.ts';

/** Weighted means over predictions: `crowd` of their probabilities, the others of their residuals. */
export const MEANS = ['crowd', 'everybody', 'record', 'contributors', 'best', 'recent'] as const;

export type Means = Readonly<Record<(typeof MEANS)[number], readonly number[] | null>>;

export function eachMean(vectorOf: (name: (typeof MEANS)[number]) => readonly number[] | null): Means {
  return {
    crowd: vectorOf('crowd'),
    everybody: vectorOf('everybody'),
    record: vectorOf('record'),
    contributors: vectorOf('contributors'),
    best: vectorOf('best'),
    recent: vectorOf('recent'),
  };
}

/** The number of predictions with the highest lower bounds of edge that count as the best. */
const BEST = 10;

interface BestPredictions extends SkilledPredictions {
  readonly residual: readonly number[];
}

export type Pooling = ReturnType<typeof newPooling>;

/** Adds by points, answers and confidences, so that the bits do not depend on arrival. */
export function newPooling(choiceCount: number) {
  const sums = {
    crowd: newMean(choiceCount),
    everybody: newMean(choiceCount),
    record: newMean(choiceCount),
    contributors: newMean(choiceCount),
    recent: newMean(choiceCount),
  };
  let entries = 0;
  let best: readonly BestPredictions[] = [];
  return {
    /** Adds the predictions of the next grid point, where the price was `reference`. */
    add({ alike, sure }: PointPredictions, reference: readonly number[]): void {
      const before = entries;
      for (const { n } of alike) entries += n;
      // Weight e^(sqrt n - sqrt N) for predictions of a point by which n of N had arrived.
      sums.recent.scale(exp(Math.sqrt(before) - Math.sqrt(entries)));
      for (const one of alikeInOrder(alike)) {
        const vector = forecastOf(one, choiceCount);
        const residual = residualOf(vector, reference);
        sums.crowd.add(vector, one.n);
        sums.everybody.add(residual, one.n);
        sums.record.add(residual, one.record);
        sums.contributors.add(residual, one.contributors);
        sums.recent.add(residual, one.n);
      }
      if (sure.length === 0) return;
      const more = sureInOrder(sure).map((one) => {
        return { ...one, residual: residualOf(forecastOf(one, choiceCount), reference) };
      });
      best = bestOf([...best, ...more]);
    },
    means(): Means {
      const ofBest = newMean(choiceCount);
      for (const { residual, n } of best) ofBest.add(residual, n);
      return eachMean((name) => (name === 'best' ? ofBest : sums[name]).mean());
    },
  };
}

function newMean(length: number) {
  const sums = new Float64Array(length);
  let total = 0;
  return {
    add(vector: readonly number[], weight: number): void {
      if (weight === 0) return;
      total += weight;
      for (let index = 0; index < length; index += 1) sums[index] = (sums[index] ?? 0) + weight * (vector[index] ?? 0);
    },
    scale(factor: number): void {
      total *= factor;
      for (let index = 0; index < length; index += 1) sums[index] = (sums[index] ?? 0) * factor;
    },
    mean: () => (total > 0 ? Array.from(sums, (sum) => sum / total) : null),
  };
}

function byAnswer(one: PickedAnswer, other: PickedAnswer): number {
  return one.pickIndex - other.pickIndex || one.confidence - other.confidence;
}

function alikeInOrder(alike: readonly EqualPredictions[]): readonly EqualPredictions[] {
  return eachOnce(alike.toSorted(byAnswer), byAnswer, (one, other) => ({
    ...one,
    n: one.n + other.n,
    contributors: one.contributors + other.contributors,
    record: one.record + other.record,
  }));
}

function byLow(one: SkilledPredictions, other: SkilledPredictions): number {
  return other.low - one.low || byAnswer(one, other);
}

function sureInOrder(sure: readonly SkilledPredictions[]): readonly SkilledPredictions[] {
  return eachOnce(sure.toSorted(byLow), byLow, (one, other) => ({ ...one, n: one.n + other.n }));
}

function eachOnce<Item>(
  ordered: readonly Item[],
  order: (one: Item, other: Item) => number,
  join: (one: Item, other: Item) => Item,
): readonly Item[] {
  const once: Item[] = [];
  for (const item of ordered) {
    const last = once.at(-1);
    if (last !== undefined && order(last, item) === 0) once[once.length - 1] = join(last, item);
    else once.push(item);
  }
  return once;
}

/** The ten highest lower bounds, and ties with the tenth. Equal ones keep the order of their grid points. */
function bestOf(sure: readonly BestPredictions[]): readonly BestPredictions[] {
  const ordered = sure.toSorted(byLow);
  let [before, least] = [0, 0];
  for (const { n, low } of ordered) {
    if (before < BEST) least = low;
    before += n;
  }
  return ordered.filter(({ low }) => low >= least);
}
