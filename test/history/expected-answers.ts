import { type Candles, PRICE_PLACES } from '../oracle/candle-files.ts';
import { asNumber, roundedQuotient } from '../oracle/decimals.ts';
import { found, numberOf, type Body } from '../oracle/json.ts';
import type { Ledger, Scored } from '../oracle/ledger.ts';
import { decidingAssets } from '../oracle/questions.ts';
import type { RoundFacts } from '../oracle/round-facts.ts';

/** The fields of a round that is over that follow from its hour. */
export function expectedRound(facts: RoundFacts, { verdicts, accepted }: Ledger, candles: Candles): Body {
  const verdict = found(verdicts.get(facts.id), `the verdict of round ${facts.id}`);
  const common = { status: verdict.status, total_entries: accepted.get(facts.id)?.length ?? 0 };
  if (verdict.status === 'void')
    return { ...common, resolution_value: null, outcome: null, void_reason: verdict.reason };
  const { outcome, resolutionValue } = verdict;
  const prices = decidingAssets(facts).flatMap((symbol): [string, number][] => {
    const { open, close } = found(candles(symbol, facts.hour), `the candle of ${symbol}`);
    const name = symbol.toLowerCase();
    return [
      [`start_${name}_price`, asNumber(open, PRICE_PLACES)],
      [`end_${name}_price`, asNumber(close, PRICE_PLACES)],
      [`${name}_return_pct`, asNumber(roundedQuotient((close - open) * 1_000_000n, open), 4)],
    ];
  });
  return { ...common, resolution_value: resolutionValue, outcome, void_reason: null, ...Object.fromEntries(prices) };
}

type ById = ReadonlyMap<number, Scored>;

/** An accepted prediction as /entries has to answer it. */
export function expectedEntry(accepted: Body, scoredById: ById): Body {
  const { id = null, agent_name = null, prediction = null, confidence = null, submitted_at = null } = accepted;
  const scored = scoredById.get(numberOf(accepted, 'id'));
  const [score, isCorrect] = scored === undefined ? [null, null] : [scored.score, Number(scored.correct)];
  return { id, agent_name, prediction, confidence, submitted_at, score, is_correct: isCorrect };
}

/** As /results has to. Nothing is settled about the streak bonus of a void round. */
export function expectedResult(accepted: Body, scoredById: ById): Body {
  const scored = scoredById.get(numberOf(accepted, 'id'));
  return { ...expectedEntry(accepted, scoredById), ...(scored && { streak_bonus: scored.streakBonus }) };
}
