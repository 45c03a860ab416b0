import { PRICE_PLACES, type Candles } from './candle-files.ts';
import { asNumber, roundedQuotient } from './decimals.ts';
import { found, numberOf, type Body } from './json.ts';
import { decidingAssets } from './oracle-questions.ts';
import type { Ledger, Scored } from './oracle-ledger.ts';
import type { RoundFacts } from './round-facts.ts';

/** The fields of a round that is over, as /results has to answer them. */
export function expectedRound(facts: RoundFacts, ledger: Ledger, candles: Candles): Body {
  const verdict = found(ledger.verdicts.get(facts.id), `the verdict of round ${facts.id}`);
  const entries = { id: facts.id, total_entries: ledger.accepted.get(facts.id)?.length ?? 0 };
  if (verdict.status === 'void') {
    return { ...entries, status: 'void', resolution_value: null, outcome: null, void_reason: verdict.reason };
  }
  const { outcome, resolutionValue } = verdict;
  const decided = { status: 'resolved', resolution_value: resolutionValue, outcome, void_reason: null };
  return { ...entries, ...decided, ...expectedPrices(facts, candles) };
}

function expectedPrices(facts: RoundFacts, candles: Candles): Body {
  const fields = decidingAssets(facts).flatMap((symbol): [string, number][] => {
    const { open, close } = found(candles(symbol, facts.hour), `the candle of ${symbol}`);
    const name = symbol.toLowerCase();
    return [
      [`start_${name}_price`, asNumber(open, PRICE_PLACES)],
      [`end_${name}_price`, asNumber(close, PRICE_PLACES)],
      [`${name}_return_pct`, asNumber(roundedQuotient((close - open) * 1_000_000n, open), 4)],
    ];
  });
  return Object.fromEntries(fields);
}

/** Scored predictions by their ids. */
export function scoredOf(ledger: Ledger): Map<number, Scored> {
  return new Map(ledger.resolved.flatMap((round) => round.scored).map((scored) => [scored.id, scored]));
}

/** An accepted prediction as /entries has to answer it. */
export function expectedEntry(accepted: Body, scored: Scored | undefined): Body {
  const { id, agent_name, prediction, confidence, submitted_at } = accepted;
  return {
    ...present({ id, agent_name, prediction, confidence, submitted_at }),
    score: scored?.score ?? null,
    is_correct: scored === undefined ? null : Number(scored.correct),
  };
}

/** An accepted prediction as /results has to answer it. Nothing is settled about the streak bonus of a void round. */
export function expectedResult(accepted: Body, scored: Scored | undefined): Body {
  return { ...expectedEntry(accepted, scored), ...(scored === undefined ? {} : { streak_bonus: scored.streakBonus }) };
}

/** An item of `recent_predictions`. */
export function expectedRecentPrediction(accepted: Body, scored: Scored | undefined, round: Body): Body {
  const { agent_name: _, id: __, ...entry } = expectedEntry(accepted, scored);
  const { question, question_type } = round;
  return { ...entry, ...present({ question, question_type }), round_id: numberOf(accepted, 'round_id') };
}

function present(fields: Record<string, Body[string] | undefined>): Body {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, found(value, key)]));
}
