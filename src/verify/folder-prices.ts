import { byAsset } from '../rules/assets.ts';
import { returnOf } from '../rules/candle.ts';
import { sign } from '../rules/fraction.ts';
import { gridPointAt, gridTime } from '../rules/grid.ts';
import { addHours } from '../rules/hours.ts';
import { candlesNeeded } from '../rules/questions/deciding.ts';
import { COVARIANCE_HOURS, covarianceOf } from '../rules/reference/covariance.ts';
import type { FolderCandles, FolderNeeds, PricesSoFar } from './candle-folder.ts';
import type { ReadRound } from './history.ts';
import { quotesOf } from './round-references.ts';

export function checkPrices({ round, details }: ReadRound, { asked, folder, findings }: FolderNeeds): void {
  const stored = new Map(quotesOf(details.quotes).map((quote) => [quote.point, quote]));
  const needed = pointsNeeded({ round, details });
  const points = [...new Set([...stored.keys(), ...needed])].toSorted((one, other) => one - other);
  const times = points.map((point) => gridTime(round.start_time, point));
  const prices = folder.pricesSoFar(asked.assets, round.start_time, times);
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
    basisOf(round, { asked, folder }),
  );
}

/** None for void rounds and unstored prices. In version 1, either all predictions have an edge or none. */
function pointsNeeded({ round, details: { results } }: Pick<ReadRound, 'round' | 'details'>): readonly number[] {
  const wasJudged = round.status === 'resolved' && results.length > 0;
  return wasJudged && (round.rules_version > 1 || results.some(({ edge }) => edge !== null))
    ? [0, ...results.map(({ submittedAt }) => gridPointAt(round.start_time, submittedAt))]
    : [];
}

function priceLists(soFar: NonNullable<PricesSoFar>) {
  return {
    prices: soFar.map(({ price }) => price),
    highs: soFar.map(({ high }) => high),
    lows: soFar.map(({ low }) => low),
  };
}

function basisOf(
  { start_time: start }: ReadRound['round'],
  { asked, folder }: { readonly asked: FolderNeeds['asked']; readonly folder: FolderCandles },
) {
  const hours = Array.from({ length: COVARIANCE_HOURS }, (_, index) => addHours(start, index - COVARIANCE_HOURS));
  const closes = byAsset((asset) => {
    const candles = hours.map((hour) => folder.hourOf(asset, hour));
    const [first] = candles;
    return [first && Number(first.open), ...candles.map((candle) => candle && Number(candle.close))].map(
      (price) => price ?? null,
    );
  });
  const { subject } = asked.params;
  const before =
    subject !== null && candlesNeeded(asked).hourBefore ? folder.hourOf(subject, addHours(start, -1)) : null;
  return { covariance: covarianceOf(closes).flat(), signBefore: before === null ? null : sign(returnOf(before)) };
}
