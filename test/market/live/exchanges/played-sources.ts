import { SOURCE_NAMES, type SourceName } from '../../../../src/market/live/exchanges/exchange.ts';
import type { Fetch } from '../../../../src/market/live/fetch-reply.ts';
import { liveMarket, type LiveMarket, type LiveSettings } from '../../../../src/market/live/live.ts';
import { playExchange, type PlayedExchange } from './played-exchange.ts';
import type { PlayedMarket } from './played-market.ts';

export interface PlayedSources extends AsyncDisposable {
  readonly market: PlayedMarket;
  readonly exchanges: Readonly<Record<SourceName, PlayedExchange>>;
  /** A live market that asks these exchanges; it is stopped with them. Retries do not wait. */
  open(settings?: Partial<LiveSettings>): LiveMarket;
}

const HANG_MS = 30;

/** Gives up on a hanging exchange early, as its timeout would later, so that a slow machine does not time the others out. */
function impatient(exchanges: readonly PlayedExchange[]): Fetch {
  return (url, init) => {
    const hangs = exchanges.some((exchange) => url.startsWith(exchange.url) && exchange.fault?.hangs);
    const signals = [init.signal ?? [], hangs ? AbortSignal.timeout(HANG_MS) : []].flat();
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
}

/** The three exchanges on loopback, each with prices of its own by these factors. */
export async function playSources(
  market: PlayedMarket,
  factors: Readonly<Record<SourceName, string>> = { coinbase: '1', kraken: '1', binance: '1' },
): Promise<PlayedSources> {
  const stack = new AsyncDisposableStack();
  const play = async (name: SourceName): Promise<PlayedExchange> => {
    const exchange = await playExchange(name, market, factors[name]);
    stack.defer(() => exchange.stop());
    return exchange;
  };
  const exchanges = { coinbase: await play('coinbase'), kraken: await play('kraken'), binance: await play('binance') };
  const urls = { coinbase: exchanges.coinbase.url, kraken: exchanges.kraken.url, binance: exchanges.binance.url };
  return {
    market,
    exchanges,
    open(settings) {
      const live = liveMarket({
        sources: SOURCE_NAMES,
        urls,
        now: () => market.now,
        realNow: () => new Date(),
        random: () => 0.5,
        fetch: impatient(Object.values(exchanges)),
        wait: async () => {},
        report: (error) => {
          throw error;
        },
        ...settings,
      });
      stack.defer(() => live.stop());
      return live;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
