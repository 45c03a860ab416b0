import { setTimeout as delay } from 'node:timers/promises';
import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type Clock, realNow } from '../clock.ts';
import type { Config } from '../config.ts';
import { Platform } from '../entities/platform.ts';
import { chooseMarket, LIVE, needsAnswers, timeRefusal } from '../market/choice.ts';
import type { Market } from '../market/market.ts';
import { HOUR, SECOND } from '../rules/hours.ts';
import { minAgreeing, liveMarket, type LiveMarket, type LiveSettings } from '../market/live/live.ts';
import { openReplay } from '../market/replay/replay.ts';
import { simulatedMarket } from '../market/simulated/simulated.ts';

export interface MarketDeps {
  readonly config: Pick<Config, 'market' | 'marketSources' | 'sourceUrls' | 'marketSwitch'>;
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly report: (error: unknown) => void;
  /** What `openNamedMarket` gave. */
  readonly ready: Market | null;
}

type SourceSettings = Pick<Config, 'marketSources' | 'sourceUrls'>;

interface ClockDeps {
  readonly config: Pick<Config, 'market' | 'marketSources' | 'sourceUrls' | 'clockSpeed'>;
}

/** How far the service's time may be from the real one for real prices: the machine's clock may have been set. */
const CLOCK_TOLERANCE_MS = HOUR;

/** The market that a setting names by itself; null where it takes a database and a clock. Throws when it cannot be used. */
export async function openNamedMarket(setting: string | undefined): Promise<Market | null> {
  return setting === undefined || setting === LIVE ? null : openMarket(setting);
}

/**
 * Throws where a database of live prices is to go on at another speed. To be asked before the clock is anchored: a clock
 * that has run ahead never comes back.
 */
export async function refuseOtherSpeed({ config, newEm }: Pick<MarketDeps, 'newEm'> & ClockDeps): Promise<void> {
  const platform = await newEm().findOne(Platform, { id: 1 });
  // How far the clock is ahead is known only when it has been anchored.
  const fits = fitsLivePrices(config, { speed: config.clockSpeed, aheadMs: 0 });
  const refusal = timeRefusal(config.market ?? platform?.market, fits);
  if (refusal !== null) throw new Error(refusal);
}

/**
 * Opens the market that the settings, the database and, at its first start, the exchanges choose, and stores the choice
 * with the database, whose platform row has to exist. Of processes that make the first start at once, one chooses for all.
 * Throws an error whose message is for the operator when the start must not go on.
 */
export async function openMarketOf(deps: MarketDeps): Promise<OpenedMarket> {
  const { config, newEm, clock, random, report, ready } = deps;
  const platform = await newEm().findOneOrFail(Platform, { id: 1 });
  const stored = platform.market ?? null;
  const opened = await openChosenMarket({
    market: config.market,
    ready,
    stored,
    switching: config.marketSwitch,
    clockFits: fitsLivePrices(config, { speed: clock.speed, aheadMs: clock.now().getTime() - realNow().getTime() }),
    live: { sources: config.marketSources, urls: config.sourceUrls, now: () => clock.now(), realNow, random, report },
  });
  if (opened.choice === stored || (await store(newEm(), opened.choice, stored))) return opened;
  await opened.stop();
  return openMarketOf(deps);
}

/** Real prices need real time; exchanges that are played elsewhere may follow any clock. */
function fitsLivePrices(sources: SourceSettings, { speed, aheadMs }: { speed: number; aheadMs: number }): boolean {
  return isReplaced(sources) || (speed === 1 && Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS);
}

/** Whether every source has another address than its own, so that exchanges may be played in any time. */
export function isReplaced({ marketSources, sourceUrls }: SourceSettings): boolean {
  return marketSources.every((name) => sourceUrls[name] !== undefined);
}

/** Whether the choice could be stored: false when another process has stored one meanwhile. */
async function store(em: SqlEntityManager, choice: string, before: string | null): Promise<boolean> {
  return (await em.nativeUpdate(Platform, { id: 1, market: before }, { market: choice })) === 1;
}

const REPLAY = 'replay:';

/** A slow line answers within it, and a cold start without any is still healthy within five seconds. */
const FIRST_ANSWERS_MS = 2 * SECOND;

export interface MarketSettings {
  /** `MARKET`; undefined when it is unset. */
  readonly market: string | undefined;
  /** What `MARKET` names, where it has been opened already. */
  readonly ready?: Market | null | undefined;
  /** The choice that the database holds; null at its first start. */
  readonly stored: string | null;
  /** `MARKET_SWITCH=yes`. */
  readonly switching: boolean;
  /** Whether live prices would be those of the service's time. */
  readonly clockFits: boolean;
  readonly live: LiveSettings;
  /** Real milliseconds that a first start waits for the exchanges' answers. */
  readonly answersWithinMs?: number | undefined;
}

export interface OpenedMarket {
  readonly market: Market;
  /** To be stored with the database. */
  readonly choice: string;
  /** Why this one, as the end of a sentence for the operator: `the exchanges answer`. */
  readonly why: string;
  stop(): Promise<void>;
}

/** The market that a setting names: `simulated` or `replay:<folder>`. Throws when the folder cannot be used. */
export async function openMarket(setting: string): Promise<Market> {
  return setting.startsWith(REPLAY) ? openReplay(setting.slice(REPLAY.length)) : simulatedMarket();
}

/**
 * Opens the market that settings, database and, at a first start without a setting, the exchanges' answers choose. A live
 * one has been started; it may have no quotes yet. Throws an error whose message is for the operator when the start must
 * not go on.
 */
export async function openChosenMarket(settings: MarketSettings): Promise<OpenedMarket> {
  const { market: setting, stored, switching, clockFits } = settings;
  const tried = needsAnswers({ setting, stored, clockFits }) ? liveMarket(settings.live) : null;
  const sourcesAnswer = tried !== null && (await answers(tried, settings.answersWithinMs ?? FIRST_ANSWERS_MS));
  const choice = chooseMarket({ setting, stored, switching, clockFits, sourcesAnswer });
  if (choice.kind === 'market' && choice.market === LIVE) {
    const market = tried ?? liveMarket(settings.live);
    // A start waits for no exchange: there are no prices until the first answers have come.
    void market.start();
    return { market, choice: choice.market, why: choice.why, stop: () => market.stop() };
  }
  await tried?.stop();
  if (choice.kind === 'refused') throw new Error(choice.message);
  const market = settings.ready ?? (await openMarket(choice.market));
  return { market, choice: choice.market, why: choice.why, stop: async () => {} };
}

/** Whether, after one round of questions or the time that there is, as many sources have answered as decide a round. */
async function answers(market: LiveMarket, answersWithinMs: number): Promise<boolean> {
  const enough = new AbortController();
  await Promise.race([market.start(), delay(answersWithinMs, undefined, { signal: enough.signal }).catch(() => {})]);
  enough.abort();
  const sources = market.status();
  return sources.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length >= minAgreeing(sources.length);
}
