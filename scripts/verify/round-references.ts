import { gridPointAt, type GridQuote, gridTime, momentAt, type RoundQuotes } from '../../src/rules/grid.ts';
import type { Question } from '../../src/rules/questions/question.ts';
import { referenceAt } from '../../src/rules/reference/reference.ts';
import type { Findings } from './findings.ts';
import type { ReadRound } from './history.ts';

/** What the price alone said, worked out again from the published prices to the last bit; and that these can be. */
export function checkReferences({ round, details }: ReadRound, asked: Question, findings: Findings): void {
  const quotes = quotesOf(details.quotes);
  const { referenceBasis: basis, reference } = details;
  const stored: RoundQuotes = { assets: asked.assets, basis, quotes: new Map(quotes.map((one) => [one.point, one])) };
  for (const shown of reference) {
    const moment = momentAt(stored, gridPointAt(round.start_time, shown.at));
    const published = { known: shown.known, reference: shown.probabilities.map(({ probability }) => probability) };
    findings.values(`round ${round.id}, at ${shown.at.toISOString()}`, published, {
      known: moment !== null,
      reference: referenceAt(asked, moment),
    });
  }
  for (const [index, quote] of quotes.entries()) {
    const at = `round ${round.id}, prices at ${gridTime(round.start_time, quote.point).toISOString()}`;
    findings.values(at, possible(quote, quotes[index - 1], asked), POSSIBLE);
  }
}

const POSSIBLE = { one_for_each_asset: true, above_0: true, highs_only_rise: true, lows_only_fall: true };

function possible({ prices, highs, lows }: GridQuote, before: GridQuote | undefined, { assets }: Question) {
  return {
    one_for_each_asset: [prices, highs, lows].every(({ length }) => length === assets.length),
    above_0: [...prices, ...highs, ...lows].every((price) => price > 0),
    highs_only_rise: highs.every((high, place) => high >= (before?.highs[place] ?? high)),
    lows_only_fall: lows.every((low, place) => low <= (before?.lows[place] ?? low)),
  };
}

function quotesOf({ points, prices, highs, lows }: ReadRound['details']['quotes']): readonly GridQuote[] {
  return points.map((point, place) => ({
    point,
    prices: prices[place] ?? [],
    highs: highs[place] ?? [],
    lows: lows[place] ?? [],
  }));
}
