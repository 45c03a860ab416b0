import { setTimeout as delay } from 'node:timers/promises';

import { SECOND } from '../rules/hours.ts';
import { chooseMarket, LIVE, needsAnswers } from './choice.ts';
import { leastAgreeing, liveMarket, type LiveMarket, type LiveSettings } from './live.ts';
import type { Market } from './market.ts';
import { openReplay } from './replay.ts';
import { simulatedMarket } from './simulated.ts';

const REPLAY = 'replay:';

/** A slow line answers within it, and a cold start without any is still healthy within five seconds. */
const PATIENCE_MS = 2 * SECOND;

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
  readonly patienceMs?: number | undefined;
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
  const sourcesAnswer = tried !== null && (await answers(tried, settings.patienceMs ?? PATIENCE_MS));
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
async function answers(market: LiveMarket, patienceMs: number): Promise<boolean> {
  const enough = new AbortController();
  await Promise.race([market.start(), delay(patienceMs, undefined, { signal: enough.signal }).catch(() => {})]);
  enough.abort();
  const sources = market.status();
  return sources.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length >= leastAgreeing(sources.length);
}
