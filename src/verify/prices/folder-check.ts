import { agree } from '../../market/live/agreement.ts';
import { addHours } from '../../rules/hours.ts';
import { historyNeeded, planOf, questionOf } from '../../rules/questions/asking.ts';
import { HISTORY_HOURS } from '../../rules/questions/thresholds.ts';
import { candlesIn, hoursNeeded, nameOf, plainFigures } from './candle-agreement.ts';
import type { FolderNeeds } from './candle-folder.ts';
import type { DecidedRound } from '../published/decided-round.ts';
import { checkPrices } from './folder-prices.ts';
import type { RecomputedRound } from './round-references.ts';

/** A replay figure by figure, with its threshold; exchanges within the agreement's 0.5 %. */
export function checkCandles(read: RecomputedRound, needs: FolderNeeds): void {
  const { round, details } = read;
  const { folder, findings } = needs;
  const isReplay = round.source.startsWith('replay:');
  for (const { asset, hour, name } of hoursNeeded(read)) {
    const place = `round ${round.id}, the folder's candle of ${name}`;
    const candle = folder.hourOf(asset, hour);
    const shown = details.agreedCandles.find((one) => nameOf(one.symbol, one.hourStart) === name) ?? null;
    if (isReplay) findings.values(place, { has_price: shown !== null }, { has_price: candle !== null });
    else if (candle === null) findings.note(`${place} is missing: nothing was compared with it.`);
    if (shown === null || candle === null) continue;
    const isNear = !isReplay && agree([shown, candle], 2).kind === 'agreed';
    if (isNear) findings.holds(place, { near: true });
    else findings.values(place, plainFigures(shown), plainFigures(candle));
    for (const one of isReplay ? details.evidence : []) {
      if (!one.counted || nameOf(one.symbol, one.hourStart) !== name) continue;
      findings.values(`${place}, beside ${one.source}`, one, { ...candle });
    }
  }
  if (!isReplay) return;
  checkThreshold(round, needs);
  checkPrices(read, needs);
}

/** A round is stored in the hour before its own, or in its own after a start of the service. */
function checkThreshold(round: DecidedRound, { folder, findings }: FolderNeeds): void {
  const plan = planOf(round.start_time);
  const assets = historyNeeded(plan);
  if (assets.length === 0) return;
  const possible = [1, 0].map((hoursAhead) => {
    const until = addHours(round.start_time, -hoursAhead);
    const hours = Array.from({ length: HISTORY_HOURS }, (_, back) => addHours(until, -1 - back));
    const history = hours.map((hour) => candlesIn(assets, (asset) => folder.hourOf(asset, hour)));
    const { thresholdPct, n } = questionOf(plan, round.start_time, history).params;
    return { threshold_pct: thresholdPct === null ? null : Number(thresholdPct), n };
  });
  const fitting = possible.find(({ threshold_pct: pct, n }) => pct === round.threshold_pct && n === round.n);
  findings.values(`round ${round.id}, from the folder's candles`, round, fitting ?? possible[0] ?? {});
}
