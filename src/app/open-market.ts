import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type Clock, realNow } from '../clock.ts';
import { type Config, refuse } from '../config.ts';
import { withTimeout } from '../deadline.ts';
import { Platform } from '../entities/platform.ts';
import { chooseMarket, LIVE, needsAnswers } from '../market/choice.ts';
import type { Market } from '../market/market.ts';
import { HOUR, SECOND } from '../rules/hours.ts';
import { minAgreeing, liveMarket, type LiveMarket, type LiveSettings } from '../market/live/live.ts';
import { openReplay, replayFiles } from '../market/replay/replay.ts';
import { simulatedMarket } from '../market/simulated/simulated.ts';

type MarketSettings = Pick<Config, 'market' | 'marketSwitch' | 'marketSources' | 'sourceUrls'>;

interface MarketDeps extends Pick<LiveSettings, 'random' | 'report'> {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
}

export interface OpenedMarket {
  readonly market: Market;
  /** To be stored with the database. */
  readonly choice: string;
  /** Why this one, as the end of a sentence for the operator: `the exchanges answer`. */
  readonly why: string;
  stop(): Promise<void>;
}

/** How far the service's time may be from the real one for real prices: the machine's clock may have been set. */
const CLOCK_TOLERANCE_MS = HOUR;
const REPLAY = 'replay:';
/** A slow line answers within it, and a cold start without any is still healthy within five seconds. */
const FIRST_ANSWERS_MS = 2 * SECOND;
/** The same for who waits for what is wrong with a source. */
const ALL_ANSWERS_MS = 10 * SECOND;

/** Throws a `StartError` for a folder whose files of candles are not there: before a database is begun for it. */
export async function checkFolder({ market }: Pick<MarketSettings, 'market'>): Promise<void> {
  if (market?.startsWith(REPLAY)) await replayFiles(market.slice(REPLAY.length)).catch(refuseMarket);
}

/**
 * Opens the market that the settings, the database and, at its first start, the exchanges choose, and stores the choice
 * with the database, whose platform row has to exist. Of processes that make the first start at once, one chooses for all.
 * Throws a `StartError` when the start must not go on.
 */
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
  if (opened.choice === stored || (await store(newEm(), opened.choice, stored))) return opened;
  await opened.stop();
  return openMarket(settings, deps);
}

/** Throws, as `openMarket` would, where the market that a database has cannot go on by this clock. */
export function checkPrices(settings: MarketSettings, stored: string | null, clock: ClockFacts): void {
  const { market: setting, marketSwitch: switching } = settings;
  const clockFits = fitsLivePrices(settings, clock);
  const choice = chooseMarket({ setting, stored, switching, clockFits, sourcesAnswer: false });
  if (choice.kind === 'refused') refuseMarket(choice.message);
}

interface ClockFacts {
  readonly speed: number;
  readonly aheadMs: number;
}

function refuseMarket(cause: unknown): never {
  return refuse('MARKET cannot be used', cause);
}

/** Real prices need real time; exchanges that are played elsewhere may follow any clock. */
function fitsLivePrices({ marketSources, sourceUrls }: MarketSettings, { speed, aheadMs }: ClockFacts): boolean {
  const arePlayed = marketSources.every((name) => sourceUrls[name] !== undefined);
  return arePlayed || (speed === 1 && Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS);
}

/** Whether the choice could be stored: false when another process has stored one meanwhile. */
async function store(em: SqlEntityManager, choice: string, before: string | null): Promise<boolean> {
  return (await em.nativeUpdate(Platform, { id: 1, market: before }, { market: choice })) === 1;
}

/** What decides which market is opened. */
export interface MarketFacts extends Pick<MarketSettings, 'market'> {
  readonly switching: boolean;
  /** The choice that the database holds; null at its first start. */
  readonly stored: string | null;
  /** Whether live prices would be those of the service's time. */
  readonly clockFits: boolean;
  readonly live: LiveSettings;
  /** Real milliseconds that a first start waits for the exchanges' answers. */
  readonly answersWithinMs?: number | undefined;
}

/**
 * Opens the market that settings, database and, at a first start without a setting, the exchanges' answers choose. A live
 * one has been started; it may have no quotes yet. Throws a `StartError` when the start must not go on.
 */
export async function openChosenMarket(facts: MarketFacts): Promise<OpenedMarket> {
  const { market: setting, stored, switching, clockFits } = facts;
  const tried = needsAnswers({ setting, stored, clockFits }) ? liveMarket(facts.live) : null;
  const sourcesAnswer = tried !== null && (await answers(tried, facts.answersWithinMs ?? FIRST_ANSWERS_MS));
  const choice = chooseMarket({ setting, stored, switching, clockFits, sourcesAnswer });
  if (choice.kind === 'market' && choice.market === LIVE) {
    const market = tried ?? liveMarket(facts.live);
    // A start waits for no exchange: there are no prices until the first answers have come.
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

/** How each source is once it was asked for its prices, and how far `now` is ahead of what their answers say. */
export async function askSources(
  { marketSources: sources, sourceUrls: urls }: MarketSettings,
  { now, random }: Pick<LiveSettings, 'now' | 'random'>,
) {
  const aheadMs: number[] = [];
  const noting: typeof fetch = async (...asked) => {
    const sent = now().getTime();
    const answer = await fetch(...asked);
    // A date is in whole seconds, and is from between the request and the answer.
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

/** Whether, after one round of questions or the time that there is, as many sources have answered as decide a round. */
async function answers(market: LiveMarket, answersWithinMs: number): Promise<boolean> {
  await withTimeout(answersWithinMs, market.start());
  const sources = market.status();
  return sources.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length >= minAgreeing(sources.length);
}
