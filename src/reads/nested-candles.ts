import { sql } from 'kysely';

import { constantText, floatText } from './answer-text.ts';
import { columnsOf, decimal, instant, type RowKind, string } from './nested.ts';

/** An asset of a round, `t`. */
export const ROUND_ASSET: RowKind = {
  columns: {
    ...columnsOf('t', { asset: 'asset' }),
    providerId: string(sql`t.provider_id`),
    open: decimal(sql`t.open`),
    high: decimal(sql`t.high`),
    low: decimal(sql`t.low`),
    close: decimal(sql`t.close`),
    returnPct: decimal(sql`t.return_pct`),
  },
  always: [],
  needs: { symbol: ['asset'], startPriceUsd: ['open'], endPriceUsd: ['close'], highUsd: ['high'], lowUsd: ['low'] },
  texts: {
    __typename: constantText('RoundAsset'),
    symbol: sql`to_json(t.asset)`,
    startPriceUsd: floatText(sql`t.open`),
    endPriceUsd: floatText(sql`t.close`),
    highUsd: floatText(sql`t.high`),
    lowUsd: floatText(sql`t.low`),
    returnPct: floatText(sql`t.return_pct`),
  },
  along: {},
};

const CANDLE_NEEDS = { symbol: ['asset'], openUsd: ['open'], highUsd: ['high'], lowUsd: ['low'], closeUsd: ['close'] };

/** A source's candle, `t`. */
export const EVIDENCE: RowKind = {
  columns: {
    ...columnsOf('t', {
      asset: 'asset',
      source: 'source',
      open: 'open',
      high: 'high',
      low: 'low',
      close: 'close',
      volume: 'volume',
      bodyHash: 'body_hash',
      counted: 'counted',
      leftOut: 'left_out',
    }),
    hourStart: instant(sql`t.hour_start`),
    sourceTime: instant(sql`t.source_time`),
    fetchedAt: instant(sql`t.fetched_at`),
  },
  always: [],
  needs: CANDLE_NEEDS,
  texts: {},
  along: {},
};

/** A candle that sources agreed on, `t`. */
export const AGREED_CANDLE: RowKind = {
  columns: {
    ...columnsOf('t', { asset: 'asset' }),
    hourStart: instant(sql`t.hour_start`),
    open: decimal(sql`t.open`),
    high: decimal(sql`t.high`),
    low: decimal(sql`t.low`),
    close: decimal(sql`t.close`),
    volume: decimal(sql`t.volume`),
  },
  always: [],
  needs: CANDLE_NEEDS,
  texts: {},
  along: {},
};
