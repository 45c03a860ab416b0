import { at } from '../oracle/json.ts';
import type { QuestionType } from '../oracle/round-facts.ts';
import { below } from './oracle-normals.ts';
import * as walks from './oracle-walks.ts';
import type { Instant } from './oracle-walks.ts';

/** The reference by its definition, written apart from `src`: a probability for each choice. */
export function oracleReference(instant: Instant): readonly number[] {
  const { choices, type } = instant.facts;
  const settled = settledBy(instant);
  if (settled !== null) return choices.map((_, index) => (index === settled ? 1 : 0));
  const said = MODELS[type](instant);
  const [left, over, lean, leanOver] = RECALIBRATION[type];
  const power = 1 + left * instant.left + over * (1 - instant.left);
  const likely = scaled(
    (typeof said === 'number' ? [said, 1 - said] : said).map(
      (p, index) =>
        (p > 0 ? p ** power : 0) * (index === 0 ? Math.exp(lean * instant.left + leanOver * (1 - instant.left)) : 1),
    ),
  );
  return bounded(likely);
}

/** The fewest of the least likely answers that have to be raised to the least that may be said, so that the others keep at least that. */
function bounded(likely: readonly number[]): readonly number[] {
  const [least, order] = [0.02 / (likely.length - 1), likely.toSorted((one, other) => one - other)];
  for (let raised = 0; ; raised += 1) {
    const others = order.slice(raised);
    const share = (1 - raised * least) / others.reduce((sum, p) => sum + p, 0);
    if (at(others, 0) * share >= least) return likely.map((p) => (p < at(others, 0) ? least : p * share));
  }
}

function scaled(weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** By type: how much sharper, by what is left and what is over of the hour; the first answer's lean, by the same. */
const RECALIBRATION: Readonly<Record<QuestionType, readonly [number, number, number, number]>> = {
  relative: [-0.02, 0.04, 0, 0],
  best_performer: [-0.28, -0.06, 0, 0],
  worst_performer: [-0.1, 0.14, 0, 0],
  podium: [-0.18, 0.04, 0, 0],
  volatility: [-0.08, -0.12, -0.14, 0],
  direction: [-0.04, 0.08, 0, 0],
  threshold: [-0.02, 0.04, -0.02, 0.08],
  touch: [0.02, 0, -0.06, 0.12],
  magnitude: [-0.12, 0.06, -0.14, 0.12],
  range: [-0.16, -0.08, 0.18, -0.2],
  momentum: [-0.04, 0.08, -0.06, 0.04],
  beat_market: [0.02, 0.16, -0.1, -0.08],
  breadth: [-0.22, 0.02, 0, 0],
};

type Model = (instant: Instant) => number | readonly number[];

const best: Model = (instant) => walks.shareOfDraws(instant, (ends) => [ends.indexOf(Math.max(...ends))]);

/** P(first answer), or a share for each. */
const MODELS: Readonly<Record<QuestionType, Model>> = {
  relative: (instant) => {
    const [one, other] = [at(walks.namesOf(instant), 0), at(walks.namesOf(instant), 1)];
    const lead = walks.moved(instant, one) - walks.moved(instant, other);
    return ahead(instant, lead, [
      [one, 1],
      [other, -1],
    ]);
  },
  best_performer: best,
  worst_performer: (instant) => walks.shareOfDraws(instant, (ends) => [ends.indexOf(Math.min(...ends))]),
  podium: best,
  volatility: walks.widerOfTwo,
  direction: (instant) => walks.endsAbove(instant, 0),
  threshold: (instant) => {
    const chance = walks.endsAbove(instant, Math.log(1 + walks.thresholdOf(instant)));
    return walks.thresholdOf(instant) < 0 ? 1 - chance : chance;
  },
  touch: (instant) => {
    const gap = Math.log(1 + walks.thresholdOf(instant)) - walks.moved(instant, walks.subjectOf(instant));
    return ofSubject(instant, (deviation) => 2 * below(-Math.abs(gap) / deviation));
  },
  magnitude: (instant) => {
    const threshold = walks.thresholdOf(instant);
    return walks.endsAbove(instant, Math.log(1 + threshold)) + 1 - walks.endsAbove(instant, Math.log(1 - threshold));
  },
  range: (instant) => {
    const [threshold, move] = [walks.thresholdOf(instant), walks.moved(instant, walks.subjectOf(instant))];
    const [bottom, top] = [Math.log(1 - threshold) - move, Math.log(1 + threshold) - move];
    return ofSubject(instant, (deviation) => walks.staysWithin(bottom, top, deviation));
  },
  momentum: (instant) => {
    if (instant.signBefore === null) return 0.5;
    if (instant.signBefore === 0) return 0;
    const rise = walks.endsAbove(instant, 0);
    return instant.signBefore > 0 ? rise : 1 - rise;
  },
  beat_market: (instant) => {
    const names = walks.namesOf(instant);
    const ratio = (name: string): number => walks.shownOf(instant, name).price / walks.shownOf(instant, name).open;
    const share = (name: string): number => Number(name === walks.subjectOf(instant)) - 1 / names.length;
    const lead = names.reduce((sum, name) => sum + share(name) * (ratio(name) - 1), 0);
    const weights = names.map((name) => [name, share(name) * ratio(name)] as const);
    return ahead(instant, (1 - 0.25 * instant.left) * lead, weights);
  },
  breadth: (instant) => {
    const least = Number(instant.facts.n);
    const rises = (ends: readonly number[]): boolean => ends.filter((end) => end > 0).length >= least;
    return at(
      walks.shareOfDraws(instant, (ends) => (rises(ends) ? [0] : [1])),
      0,
    );
  },
};

/** A lead in log returns is kept until the end. */
function ahead(instant: Instant, lead: number, weights: readonly (readonly [string, number])[]): number {
  const deviation = walks.spread(instant, weights);
  const factors = walks.factorsOf(instant, walks.namesOf(instant));
  return walks.meanOver(factors, (factor) => below(lead / (factor * deviation)));
}

/** The mean of a chance over the deviations that the subject's log return may have. */
function ofSubject(instant: Instant, chance: (deviation: number) => number): number {
  const subject = walks.subjectOf(instant);
  const deviation = walks.spread(instant, [[subject, 1]]);
  return walks.meanOver(walks.factorsOf(instant, [subject]), (factor) => chance(factor * deviation));
}

/** The place of the choice that the extremes so far have decided already. */
function settledBy(instant: Instant): number | null {
  const { type } = instant.facts;
  if (type !== 'touch' && type !== 'range') return null;
  const { open, high, low } = walks.shownOf(instant, walks.subjectOf(instant));
  const threshold = walks.thresholdOf(instant);
  if (type === 'range') return high / open > 1 + threshold || low / open < 1 - threshold ? 1 : null;
  return (threshold > 0 ? high / open >= 1 + threshold : low / open <= 1 + threshold) ? 0 : null;
}
