import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { RoundAsset } from '../entities/round-asset.ts';
import { Round } from '../entities/round.ts';
import { type HourVerdict, type Market, MarketUnavailable } from '../market/market.ts';
import { addHours, MINUTE, SECOND } from '../rules/hours.ts';
import { candlesNeeded, type Decidable, type Outcome, outcomeOf } from '../rules/questions/deciding.ts';
import type { HistoryHour } from '../rules/questions/question.ts';
import { type Alongside, applyOutcome, applyVoid } from './outcome.ts';

export interface ResolutionNeeds {
  readonly newEm: () => SqlEntityManager;
  readonly market: Market;
}

/** When a round is tried, and for which time, from 1. */
export interface Attempt {
  readonly now: Date;
  readonly attempt: number;
  /** What else belongs in the transaction that decides the round. */
  readonly alongside?: Alongside;
}

/** A round's outcome cannot be decided yet; trying again after `delayMs` of service time makes sense. */
export class NotDecidableYet extends Error {
  override readonly name = 'NotDecidableYet';
  readonly delayMs: number;

  constructor(message: string, delayMs: number) {
    super(message);
    this.delayMs = delayMs;
  }
}

/** How long after its end a round waits for candles before it is void (decisions: no usable candles). */
const PATIENCE_HOURS = 24;

const FIRST_DELAY_MS = 15 * SECOND;
const LONGEST_DELAY_MS = 10 * MINUTE;

/**
 * Decides a round that is over and applies what follows, in one transaction. Does nothing when the round is decided
 * already, so running it twice is safe; killed anywhere, it runs again from the start. Throws `NotDecidableYet` while
 * the sources have no candles, or none that agree; `attempt` (from 1) sets how long to wait then.
 */
export async function resolveRound(needs: ResolutionNeeds, roundId: number, at: Attempt): Promise<void> {
  const round = await needs.newEm().findOne(Round, { id: roundId });
  if (round?.status !== 'resolving') return;
  const { verdict, outcome } = await judge(needs, round, at);
  const grounds = { verdict, market: needs.market, now: at.now, alongside: at.alongside };
  if (verdict.problem !== null) {
    const delayMs = delayOf(round, at);
    if (delayMs > 0) throw new NotDecidableYet(`Round ${round.id} has no agreed candles yet`, delayMs);
    await applyVoid(needs.newEm(), round, { ...grounds, reason: verdict.problem });
  } else if (outcome.kind === 'void') {
    await applyVoid(needs.newEm(), round, { ...grounds, reason: outcome.reason });
  } else {
    await applyOutcome(needs.newEm(), round, { ...grounds, answer: outcome.answer });
  }
}

/**
 * What the market's candles say to a round's question, whatever its state; writes nothing. The outcome counts only
 * where the verdict has no problem. Throws `NotDecidableYet` when the market says nothing at all.
 */
export async function judge(
  { newEm, market }: ResolutionNeeds,
  round: Round,
  at: Attempt,
): Promise<{ verdict: HourVerdict; outcome: Outcome }> {
  const assets = await newEm().find(RoundAsset, { roundId: round.id }, { orderBy: { position: 'asc' } });
  const question = decidable(round, assets);
  const verdict = await verdictOf(market, round, question, at);
  const outcome =
    verdict.problem === null
      ? outcomeOf(question, byAssetOf(verdict, round.startTime), byAssetOf(verdict, addHours(round.startTime, -1)))
      : { kind: 'void' as const, reason: verdict.problem };
  return { verdict, outcome };
}

function decidable(round: Round, assets: readonly RoundAsset[]): Decidable {
  return {
    questionType: round.questionType,
    choices: round.choices,
    assets: assets.map(({ asset }) => asset),
    params: {
      subject: assets.find(({ asset }) => asset === round.subject)?.asset ?? null,
      operator: round.operator ?? null,
      thresholdPct: round.thresholdPct ?? null,
      n: round.n ?? null,
    },
  };
}

/** What the market says of every candle that the question needs. */
async function verdictOf(
  market: Market,
  round: Round,
  question: Decidable,
  at: { now: Date; attempt: number },
): Promise<HourVerdict> {
  const { assets, hourBefore } = candlesNeeded(question);
  const hours = hourBefore ? [addHours(round.startTime, -1), round.startTime] : [round.startTime];
  try {
    return await market.decide(assets, hours, at.now);
  } catch (error) {
    // It says nothing at all, as when it is being stopped: that is no reason to void a round, however old.
    if (!(error instanceof MarketUnavailable)) throw error;
    throw new NotDecidableYet(error.message, backoff(at.attempt));
  }
}

function byAssetOf({ candles }: HourVerdict, hourStart: Date): HistoryHour {
  const ofHour = candles.filter((candle) => candle.hourStart.getTime() === hourStart.getTime());
  return Object.fromEntries(ofHour.map((candle) => [candle.asset, candle]));
}

/** How long to wait for candles that are not there; 0 once the round has waited long enough. */
function delayOf(round: Round, { now, attempt }: { now: Date; attempt: number }): number {
  const patienceMs = addHours(round.endTime, PATIENCE_HOURS).getTime() - now.getTime();
  return Math.max(0, Math.min(backoff(attempt), patienceMs));
}

function backoff(attempt: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 10), LONGEST_DELAY_MS);
}
