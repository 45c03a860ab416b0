import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { type Clock, realNow } from './clock.ts';
import type { Config } from './config.ts';
import { Platform } from './entities/platform.ts';
import { LIVE, OTHER_TIME } from './market/choice.ts';
import { openChosenMarket, type OpenedMarket, openMarket } from './market/choose.ts';
import type { Market } from './market/market.ts';
import { HOUR } from './rules/hours.ts';

export interface MarketNeeds {
  readonly config: Pick<Config, 'market' | 'marketSources' | 'sourceUrls' | 'marketSwitch'>;
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly report: (error: unknown) => void;
  /** What `openNamedMarket` gave. */
  readonly ready: Market | null;
}

interface ClockNeeds {
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
export async function refuseOtherSpeed({ config, newEm }: Pick<MarketNeeds, 'newEm'> & ClockNeeds): Promise<void> {
  const platform = await newEm().findOne(Platform, { id: 1 });
  const isLive = (config.market ?? platform?.market) === LIVE;
  if (isLive && config.clockSpeed !== 1 && !isReplaced(config)) throw new Error(OTHER_TIME);
}

/**
 * Opens the market that the settings, the database and, at its first start, the exchanges choose, and stores the choice
 * with the database, whose platform row has to exist. Of processes that make the first start at once, one chooses for all.
 * Throws an error whose message is for the operator when the start must not go on.
 */
export async function openMarketOf(needs: MarketNeeds): Promise<OpenedMarket> {
  const { config, newEm, clock, random, report, ready } = needs;
  const platform = await newEm().findOneOrFail(Platform, { id: 1 });
  const stored = platform.market ?? null;
  const opened = await openChosenMarket({
    market: config.market,
    ready,
    stored,
    switching: config.marketSwitch,
    clockFits: clockFits(needs),
    live: { sources: config.marketSources, urls: config.sourceUrls, now: () => clock.now(), realNow, random, report },
  });
  if (opened.choice === stored || (await store(newEm(), opened.choice, stored))) return opened;
  await opened.stop();
  return openMarketOf(needs);
}

/** Real prices need real time; exchanges that are played elsewhere may follow any clock. */
function clockFits({ config, clock }: MarketNeeds): boolean {
  const ahead = clock.now().getTime() - realNow().getTime();
  const isReal = clock.speed === 1 && Math.abs(ahead) <= CLOCK_TOLERANCE_MS;
  return isReal || isReplaced(config);
}

function isReplaced({ marketSources, sourceUrls }: Pick<Config, 'marketSources' | 'sourceUrls'>): boolean {
  return marketSources.every((name) => sourceUrls[name] !== undefined);
}

/** Whether the choice could be stored: false when another process has stored one meanwhile. */
async function store(em: SqlEntityManager, choice: string, before: string | null): Promise<boolean> {
  return (await em.nativeUpdate(Platform, { id: 1, market: before }, { market: choice })) === 1;
}
