import { byAsset } from '../../rules/assets.ts';
import { gridPointAt, gridTime, priceLists } from '../../rules/grid.ts';
import { addHours } from '../../rules/hours.ts';
import { basisOf } from '../../rules/reference/basis.ts';
import { COVARIANCE_HOURS } from '../../rules/reference/covariance.ts';
import type { FolderCandles, FolderNeeds } from './candle-folder.ts';
import type { ReadRound } from '../published/history.ts';
import { type RecomputedRound, quotesOf } from './round-references.ts';

export function checkPrices(read: RecomputedRound, { folder, findings }: FolderNeeds): void {
  const { round, details, question } = read;
  const stored = new Map(quotesOf(details.quotes).map((quote) => [quote.point, quote]));
  const needed = pointsNeeded(read);
  const points = [...new Set([...stored.keys(), ...needed])].toSorted((one, other) => one - other);
  const times = points.map((point) => gridTime(round.start_time, point));
  const prices = folder.pricesSoFar(question.assets, round.start_time, times);
  for (const [index, point] of points.entries()) {
    const place = `round ${round.id}, the folder's prices at ${times[index]?.toISOString()}`;
    const shown = stored.get(point) ?? null;
    const soFar = prices[index] ?? null;
    findings.values(place, { has_prices: shown !== null }, { has_prices: soFar !== null });
    if (shown !== null && soFar !== null) findings.values(place, { ...shown }, priceLists(soFar));
  }
  if (!stored.has(0)) return;
  findings.values(
    `round ${round.id}, the folder's hours before`,
    { ...details.referenceBasis },
    { ...basisOf(question, round.start_time, hoursBefore(round, folder)) },
  );
}

/** None for void rounds and unstored prices. In version 1, either all predictions have an edge or none. */
function pointsNeeded({ round, details: { results } }: ReadRound): readonly number[] {
  const wasJudged = round.status === 'resolved' && results.length > 0;
  return wasJudged && (round.rules_version > 1 || results.some(({ edge }) => edge !== null))
    ? [0, ...results.map(({ submittedAt }) => gridPointAt(round.start_time, submittedAt))]
    : [];
}

function hoursBefore({ start_time: start }: ReadRound['round'], folder: FolderCandles) {
  const hours = Array.from({ length: COVARIANCE_HOURS }, (_, index) => addHours(start, index - COVARIANCE_HOURS));
  return byAsset((asset) =>
    hours.flatMap((hourStart) => {
      const candle = folder.hourOf(asset, hourStart);
      return candle === null ? [] : [{ ...candle, hourStart }];
    }),
  );
}
