import { ASSETS } from '../../rules/assets.ts';
import { gridPointAt, type GridQuote, gridTime, momentAt, type RoundQuotes } from '../../rules/grid.ts';
import type { Question } from '../../rules/questions/question.ts';
import { referenceAt } from '../../rules/reference/reference.ts';
import type { Findings } from '../findings.ts';
import type { ReadRound } from '../published/history.ts';

interface RecomputedReference {
  readonly known: boolean;
  readonly reference: readonly number[];
}

export type ReferenceLookup = (point: number) => RecomputedReference;

/** A round as it was read, with its question and references as they follow from the rules. */
export interface RecomputedRound extends ReadRound {
  readonly question: Question;
  readonly recomputedAt: ReferenceLookup;
}

export function recomputedReferences(
  { round, details }: Pick<ReadRound, 'round' | 'details'>,
  question: Question,
): ReferenceLookup {
  // Others are findings of their own.
  const usable = quotesOf(details.quotes).filter((quote) => isComplete(quote, question) && isAbove0(quote));
  const quotes = new Map(usable.map((one) => [one.point, one]));
  const isWhole = details.referenceBasis?.covariance.length === ASSETS.length ** 2;
  const stored: RoundQuotes = { assets: question.assets, basis: isWhole ? details.referenceBasis : null, quotes };
  const cached = new Map<number, RecomputedReference>();
  const recompute = (point: number): RecomputedReference => {
    const moment = momentAt(stored, point);
    return { known: moment !== null, reference: referenceAt(question, moment, round.rules_version) };
  };
  return (point) => {
    const recomputed = cached.get(point) ?? recompute(point);
    cached.set(point, recomputed);
    return recomputed;
  };
}

export function checkReferences({ round, details, question, recomputedAt }: RecomputedRound, findings: Findings): void {
  for (const shown of details.reference) {
    const { known, reference } = recomputedAt(gridPointAt(round.start_time, shown.at));
    const published = { known: shown.known, reference: shown.probabilities };
    findings.values(`round ${round.id}, at ${shown.at.toISOString()}`, published, { known, reference });
  }
  const quotes = quotesOf(details.quotes);
  for (const [index, quote] of quotes.entries()) {
    const at = `round ${round.id}, prices at ${gridTime(round.start_time, quote.point).toISOString()}`;
    findings.holds(at, possible(quote, quotes[index - 1], question));
  }
}

function isComplete({ prices, highs, lows }: GridQuote, { assets }: Question): boolean {
  return [prices, highs, lows].every(({ length }) => length === assets.length);
}

function isAbove0({ prices, highs, lows }: GridQuote): boolean {
  return [...prices, ...highs, ...lows].every((price) => price > 0);
}

function possible(quote: GridQuote, before: GridQuote | undefined, question: Question) {
  const { highs, lows } = quote;
  return {
    one_for_each_asset: isComplete(quote, question),
    above_0: isAbove0(quote),
    highs_only_rise: highs.every((high, index) => high >= (before?.highs[index] ?? high)),
    lows_only_fall: lows.every((low, index) => low <= (before?.lows[index] ?? low)),
  };
}

export function quotesOf({ points, prices, highs, lows }: ReadRound['details']['quotes']): readonly GridQuote[] {
  return points.map((point, index) => ({
    point,
    prices: prices[index] ?? [],
    highs: highs[index] ?? [],
    lows: lows[index] ?? [],
  }));
}
