import { chooseMarket, LIVE, needsAnswers } from './choice.ts';
import { leastAgreeing, liveMarket, type LiveMarket, type LiveSettings } from './live.ts';
import type { Market } from './market.ts';
import { openReplay } from './replay.ts';
import { simulatedMarket } from './simulated.ts';

const REPLAY = 'replay:';

export interface MarketSettings {
  /** `MARKET`; undefined when it is unset. */
  readonly market: string | undefined;
  /** The choice that the database holds; null at its first start. */
  readonly stored: string | null;
  /** `MARKET_SWITCH=yes`. */
  readonly switching: boolean;
  readonly live: LiveSettings;
}

export interface OpenedMarket {
  readonly market: Market;
  /** To be stored with the database. */
  readonly choice: string;
  /** Why this one, as the end of a sentence for the operator: `the exchanges answer`. */
  readonly why: string;
  stop(): Promise<void>;
}

/** The market that a setting names: `simulated` or `replay:<folder>`. */
export async function openMarket(setting: string): Promise<Market> {
  return setting.startsWith(REPLAY) ? openReplay(setting.slice(REPLAY.length)) : simulatedMarket();
}

/**
 * Opens the market that settings, database and, at a first start without a setting, the exchanges' answers choose. A live
 * one has been started. Throws an error whose message is for the operator when the start must not go on.
 */
export async function openChosenMarket(settings: MarketSettings): Promise<OpenedMarket> {
  const { market: setting, stored, switching } = settings;
  const tried = needsAnswers({ setting, stored }) ? liveMarket(settings.live) : null;
  await tried?.start();
  const choice = chooseMarket({ setting, stored, switching, sourcesAnswer: tried !== null && answers(tried) });
  if (choice.kind === 'market' && choice.market === LIVE) {
    const market = tried ?? liveMarket(settings.live);
    if (tried === null) await market.start();
    return { market, choice: choice.market, why: choice.why, stop: () => market.stop() };
  }
  await tried?.stop();
  if (choice.kind === 'refused') throw new Error(choice.message);
  return { market: await openMarket(choice.market), choice: choice.market, why: choice.why, stop: async () => {} };
}

/** Whether as many sources have answered as are needed to decide a round. */
function answers(market: LiveMarket): boolean {
  const sources = market.status();
  return sources.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length >= leastAgreeing(sources.length);
}
