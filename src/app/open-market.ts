import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type Clock, realNow } from '../clock.ts';
import type { Config } from '../config.ts';
import { withTimeout } from '../deadline.ts';
import { reason } from '../database/failures.ts';
import { Platform } from '../entities/platform.ts';
import { chooseMarket, LIVE, needsAnswers } from '../market/choice.ts';
import { StartError } from '../rules/errors.ts';
import { HOUR, SECOND } from '../rules/hours.ts';
import { minAgreeing, liveMarket, type LiveMarket, type LiveSettings } from '../market/live/live.ts';
import { openReplay } from '../market/replay/replay.ts';
import { replayFiles } from '../market/replay/replay-folder.ts';
import { simulatedMarket } from '../market/simulated/simulated.ts';
import type { ClockFacts } from './open-clock.ts';

type MarketSettings = Pick<Config, 'market' | 'marketSwitch' | 'marketSources' | 'sourceUrls'>;

interface MarketDeps extends Pick<LiveSettings, 'random' | 'report'> {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
}

export type OpenedMarket = Awaited<ReturnType<typeof openChosenMarket>>;

/** Real prices tolerate this difference, since a machine's clock may be set. */
const CLOCK_TOLERANCE_MS = HOUR;
const REPLAY = 'replay:';
/** A slow line answers within it, and an offline start still succeeds in five seconds. */
const FIRST_ANSWERS_MS = 2 * SECOND;
const ALL_ANSWERS_MS = 10 * SECOND;

/** Throws a `StartError` before a database is created for a folder without candle files. */
export async function checkFolder({ market }: Pick<MarketSettings, 'market'>): Promise<void> {
  if (market?.startsWith(REPLAY)) await replayFiles(market.slice(REPLAY.length)).catch(refuseMarket);
}

/** Stores the choice in the platform's row; of concurrent first starts one chooses for all. Throws a `StartError`. */
export async function openMarket(settings: MarketSettings, deps: MarketDeps): Promise<OpenedMarket> {
  const { newEm, clock, random, report } = deps;
  const platform = await newEm().findOneOrFail(Platform, { id: 1 });
  const stored = platform.market ?? null;
  const aheadMs = clock.now().getTime() - realNow().getTime();
  const { market, marketSwitch: switching, marketSources: sources, sourceUrls: urls } = settings;
  const opened = await openChosenMarket({
    market,
    stored,
    switching,
    clockFits: fitsLivePrices(settings, { speed: clock.speed, aheadMs }),
    live: { sources, urls, now: () => clock.now(), realNow, random, report },
  });
  if (opened.choice === stored) return opened;
  // Matches no row if another process has stored a choice meanwhile.
  const change = newEm().nativeUpdate(Platform, { id: 1, market: stored }, { market: opened.choice });
  if ((await change) === 1) return opened;
  await opened.stop();
  return openMarket(settings, deps);
}

/** Throws as `openMarket` if the database's market does not fit this clock. */
export function checkPrices(settings: MarketSettings, stored: string | null, clock: ClockFacts): void {
  const { market: setting, marketSwitch: switching } = settings;
  const clockFits = fitsLivePrices(settings, clock);
  const choice = chooseMarket({ setting, stored, switching, clockFits, sourcesAnswer: false });
  if (choice.kind === 'refused') refuseMarket(choice.message);
}

function refuseMarket(cause: unknown): never {
  throw new StartError(`MARKET cannot be used: ${reason(cause)}`, { cause });
}

/** Real prices need real time; simulated exchanges may follow any clock. */
function fitsLivePrices({ marketSources, sourceUrls }: MarketSettings, { speed, aheadMs }: ClockFacts): boolean {
  const arePlayed = marketSources.every((name) => sourceUrls[name] !== undefined);
  return arePlayed || (speed === 1 && Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS);
}

export interface MarketFacts extends Pick<MarketSettings, 'market'> {
  readonly switching: boolean;
  readonly stored: string | null;
  readonly clockFits: boolean;
  readonly live: LiveSettings;
  readonly answersWithinMs?: number | undefined;
}

/** A live market has been started; it may have no quotes yet. `why` ends a sentence for the operator. Throws a `StartError`. */
export async function openChosenMarket(facts: MarketFacts) {
  const { market: setting, stored, switching, clockFits } = facts;
  const tried = needsAnswers({ setting, stored, clockFits }) ? liveMarket(facts.live) : null;
  const sourcesAnswer = tried !== null && (await answers(tried, facts.answersWithinMs ?? FIRST_ANSWERS_MS));
  const choice = chooseMarket({ setting, stored, switching, clockFits, sourcesAnswer });
  if (choice.kind === 'market' && choice.market === LIVE) {
    const market = tried ?? liveMarket(facts.live);
    // The start does not wait: prices are absent until the first answers.
    void market.start();
    return { market, choice: choice.market, why: choice.why, stop: () => market.stop() };
  }
  await tried?.stop();
  if (choice.kind === 'refused') refuseMarket(choice.message);
  const named = choice.market;
  const market = named.startsWith(REPLAY)
    ? await openReplay(named.slice(REPLAY.length)).catch(refuseMarket)
    : simulatedMarket();
  return { market, choice: named, why: choice.why, stop: async () => {} };
}

/** The state of each source after one request, and how far `now` is ahead of the answers' dates. */
export async function askSources(
  { marketSources: sources, sourceUrls: urls }: MarketSettings,
  { now, random }: Pick<LiveSettings, 'now' | 'random'>,
) {
  const aheadMs: number[] = [];
  const noting: typeof fetch = async (...request) => {
    const sent = now().getTime();
    const answer = await fetch(...request);
    // A date is in whole seconds, between request and answer.
    const date = Date.parse(answer.headers.get('date') ?? '');
    if (!Number.isNaN(date)) aheadMs.push(Math.max(0, sent - date - SECOND) + Math.min(0, now().getTime() - date));
    return answer;
  };
  const market = liveMarket({ sources, urls, now, random, realNow, fetch: noting, report: () => {} });
  await withTimeout(ALL_ANSWERS_MS, market.start());
  const status = market.status();
  await market.stop();
  return { status, aheadMs };
}

async function answers(market: LiveMarket, answersWithinMs: number): Promise<boolean> {
  await withTimeout(answersWithinMs, market.start());
  const sources = market.status();
  return sources.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length >= minAgreeing(sources.length);
}
