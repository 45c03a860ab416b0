import { sql } from 'kysely';

import type { Asset } from '../../rules/assets.ts';
import { decimal, instant, instantOrNull, plain, type RowOf, rowType } from './plan.ts';

const NEEDS = {
  symbol: ['asset'],
  openUsd: ['open'],
  highUsd: ['high'],
  lowUsd: ['low'],
  closeUsd: ['close'],
} as const;

const ROUND_ASSET_COLUMNS = {
  asset: plain<Asset>(sql`t.asset`),
  providerId: plain<string>(sql`t.provider_id`),
  open: decimal<string | null>(sql`t.open`),
  high: decimal<string | null>(sql`t.high`),
  low: decimal<string | null>(sql`t.low`),
  close: decimal<string | null>(sql`t.close`),
  returnPct: decimal<string | null>(sql`t.return_pct`),
};

/** An asset of a round, with the prices that decided it. */
export type RoundAssetRow = RowOf<typeof ROUND_ASSET_COLUMNS>;

/** A row `t` of `round_assets`. */
export const ROUND_ASSET = rowType({
  columns: ROUND_ASSET_COLUMNS,
  needs: {
    symbol: ['asset'],
    startPriceUsd: ['open'],
    endPriceUsd: ['close'],
    highUsd: ['high'],
    lowUsd: ['low'],
    candles: ['asset'],
  },
});

const EVIDENCE_COLUMNS = {
  asset: plain<Asset>(sql`t.asset`),
  source: plain<string>(sql`t.source`),
  open: plain<string | null>(sql`t.open`),
  high: plain<string | null>(sql`t.high`),
  low: plain<string | null>(sql`t.low`),
  close: plain<string | null>(sql`t.close`),
  volume: plain<string | null>(sql`t.volume`),
  bodyHash: plain<string | null>(sql`t.body_hash`),
  counted: plain<boolean>(sql`t.counted`),
  leftOut: plain<string | null>(sql`t.left_out`),
  hourStart: instant(sql`t.hour_start`),
  sourceTime: instantOrNull(sql`t.source_time`),
  fetchedAt: instant(sql`t.fetched_at`),
};

/** What a source showed. Figures are never rounded: they are what verifies a round. */
export type EvidenceRow = RowOf<typeof EVIDENCE_COLUMNS>;

/** A row `t` of `candles`. */
export const EVIDENCE = rowType({ columns: EVIDENCE_COLUMNS, needs: NEEDS });

const AGREED_CANDLE_COLUMNS = {
  asset: plain<Asset>(sql`t.asset`),
  hourStart: instant(sql`t.hour_start`),
  open: decimal(sql`t.open`),
  high: decimal(sql`t.high`),
  low: decimal(sql`t.low`),
  close: decimal(sql`t.close`),
  volume: decimal(sql`t.volume`),
};

/** A candle that sources agreed on. */
export type AgreedCandleRow = RowOf<typeof AGREED_CANDLE_COLUMNS>;

/** A row `t` of `agreed_candles`. */
export const AGREED_CANDLE = rowType({ columns: AGREED_CANDLE_COLUMNS, needs: NEEDS });
