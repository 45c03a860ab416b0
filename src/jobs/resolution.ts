import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { RoundAsset } from '../entities/round-asset.ts';
import { Round } from '../entities/round.ts';
import type { Market } from '../market/market.ts';
import { MarketUnavailable } from '../market/market.ts';
import type { Asset } from '../rules/assets.ts';
import { addHours, HOUR, MINUTE, SECOND } from '../rules/hours.ts';
import { candlesNeeded, type Decidable, outcomeOf } from '../rules/questions/deciding.ts';
import { applyOutcome, applyVoid, type AssetCandle } from './outcome.ts';

export interface ResolutionNeeds {
  readonly newEm: () => SqlEntityManager;
  readonly market: Market;
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
 * the market has no usable candles; `attempt` (from 1) sets how long to wait then.
 */
export async function resolveRound(
  needs: ResolutionNeeds,
  roundId: number,
  at: { now: Date; attempt: number },
): Promise<void> {
  const em = needs.newEm();
  const round = await em.findOne(Round, { id: roundId });
  if (round?.status !== 'resolving') return;
  const assets = await em.find(RoundAsset, { roundId }, { orderBy: { position: 'asc' } });
  const question = decidable(round, assets);
  const candles = await candlesOf(needs.market, round, question, at.now);
  if (candles === null) {
    await waitOrVoid(needs.newEm, round, at);
    return;
  }
  const outcome = outcomeOf(
    question,
    byAssetOf(candles, round.startTime),
    byAssetOf(candles, addHours(round.startTime, -1)),
  );
  const evidence = { candles, source: needs.market.source, now: at.now };
  if (outcome.kind === 'void') await applyVoid(needs.newEm(), round, { ...evidence, reason: outcome.reason });
  else await applyOutcome(needs.newEm(), round, { ...evidence, answer: outcome.answer });
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

/** Every candle that the question needs, or null while one is missing. */
async function candlesOf(
  market: Market,
  round: Round,
  question: Decidable,
  now: Date,
): Promise<readonly AssetCandle[] | null> {
  const { assets, hourBefore } = candlesNeeded(question);
  const from = hourBefore ? addHours(round.startTime, -1) : round.startTime;
  const hours = (round.endTime.getTime() - from.getTime()) / HOUR;
  try {
    const found = await Promise.all(
      assets.map(async (asset) => {
        const candles = await market.hourCandles(asset, from, round.endTime, now);
        return candles.map((candle) => ({ ...candle, asset }));
      }),
    );
    return found.every((candles) => candles.length === hours) ? found.flat() : null;
  } catch (error) {
    if (error instanceof MarketUnavailable) return null;
    throw error;
  }
}

function byAssetOf(candles: readonly AssetCandle[], hourStart: Date): Partial<Record<Asset, AssetCandle>> {
  const ofHour = candles.filter((candle) => candle.hourStart.getTime() === hourStart.getTime());
  return Object.fromEntries(ofHour.map((candle) => [candle.asset, candle]));
}

async function waitOrVoid(
  newEm: () => SqlEntityManager,
  round: Round,
  at: { now: Date; attempt: number },
): Promise<void> {
  const patienceMs = addHours(round.endTime, PATIENCE_HOURS).getTime() - at.now.getTime();
  if (patienceMs <= 0) {
    await applyVoid(newEm(), round, { candles: [], source: round.source, now: at.now, reason: 'no_prices' });
    return;
  }
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(at.attempt - 1, 10), LONGEST_DELAY_MS, patienceMs);
  throw new NotDecidableYet(`Round ${round.id} has no usable candles yet`, delayMs);
}
