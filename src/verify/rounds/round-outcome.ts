import { ASSETS } from '../../rules/assets.ts';
import { returnPct } from '../../rules/candle.ts';
import { type Outcome, outcomeOf, resolutionValue } from '../../rules/questions/deciding.ts';
import type { CandleAgreement } from '../prices/candle-agreement.ts';
import type { RecomputedDecision } from './decisions.ts';
import type { Findings } from '../findings.ts';
import type { ReadRound } from '../published/history.ts';

export function checkOutcome(
  { round, at, question }: RecomputedDecision,
  agreed: CandleAgreement,
  findings: Findings,
): Outcome {
  const outcome = outcomeOf(question, agreed.candles, agreed.before);
  const answer = outcome.kind === 'answer' ? outcome.answer : null;
  findings.values(`round ${round.id}`, round, {
    status: answer === null ? 'void' : 'resolved',
    outcome: answer,
    resolution_value: answer === null ? null : resolutionValue(question, answer),
    void_reason: voidReason(outcome, agreed, round.void_reason),
  });
  findings.holds(`round ${round.id}`, { decided_after_its_end: at >= round.end_time });
  return outcome;
}

/** Figures alone cannot show if sources disagreed or had nothing final: the published reason counts if possible. */
function voidReason(outcome: Outcome, { mayDisagree }: CandleAgreement, published: string | null): string | null {
  if (outcome.kind === 'answer') return null;
  return outcome.reason === 'no_prices' && mayDisagree && published === 'sources_disagree' ? published : outcome.reason;
}

/** Prices must be those of the agreed candles, and null for other assets or without an outcome. */
export function comparePrices(
  { round, details }: ReadRound,
  candles: CandleAgreement['candles'],
  findings: Findings,
): void {
  for (const asset of ASSETS) {
    const candle = candles[asset];
    const symbol = asset.toLowerCase();
    findings.values(`round ${round.id}`, round, {
      [`start_${symbol}_price`]: candle === undefined ? null : Number(candle.open),
      [`end_${symbol}_price`]: candle === undefined ? null : Number(candle.close),
      [`${symbol}_return_pct`]: candle === undefined ? null : Number(returnPct(candle)),
    });
  }
  for (const shown of details.assets) {
    const candle = candles[shown.symbol];
    findings.values(`round ${round.id}, ${shown.symbol}`, shown, {
      highUsd: candle === undefined ? null : Number(candle.high),
      lowUsd: candle === undefined ? null : Number(candle.low),
    });
  }
}
