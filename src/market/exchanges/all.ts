import { binance } from './binance.ts';
import { coinbase } from './coinbase.ts';
import type { Exchange, SourceName } from './exchange.ts';
import { kraken } from './kraken.ts';

export const EXCHANGES: Readonly<Record<SourceName, Exchange>> = { coinbase, kraken, binance };
