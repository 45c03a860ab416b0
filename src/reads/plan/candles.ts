import type { Expression } from 'kysely';

import { byAlias } from './by-alias.ts';
import { parts } from './parts.ts';
import { type RowOf, rowsOf, rowType } from './plan.ts';

const { t: asset } = byAlias({ t: 'round_assets' });
const { t: shown } = byAlias({ t: 'candles' });
const { t: agreed } = byAlias({ t: 'agreed_candles' });

const NEEDS = {
  symbol: ['asset'],
  openUsd: ['open'],
  highUsd: ['high'],
  lowUsd: ['low'],
  closeUsd: ['close'],
} as const;

const ROUND_ASSET_COLUMNS = {
  ...asset.plain('asset', 'provider_id'),
  ...asset.decimal('open', 'high', 'low', 'close', 'return_pct'),
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
  ...shown.plain('asset', 'source', 'open', 'high', 'low', 'close', 'volume', 'body_hash', 'counted', 'left_out'),
  ...shown.instant('hour_start', 'source_time', 'fetched_at'),
};

/** A source's candle. Its figures are never rounded, since they verify a round. */
export type EvidenceRow = RowOf<typeof EVIDENCE_COLUMNS>;

/** A row `t` of `candles`. */
export const EVIDENCE = rowType({ columns: EVIDENCE_COLUMNS, needs: NEEDS });

const AGREED_CANDLE_COLUMNS = {
  ...agreed.plain('asset'),
  ...agreed.instant('hour_start'),
  ...agreed.decimal('open', 'high', 'low', 'close', 'volume'),
};

export type AgreedCandleRow = RowOf<typeof AGREED_CANDLE_COLUMNS>;

/** A row `t` of `agreed_candles`. */
export const AGREED_CANDLE = rowType({ columns: AGREED_CANDLE_COLUMNS, needs: NEEDS });

/** The candles of a round's decision, in the order of time. */
export function candlesOf(roundId: Expression<number>, amendmentId: Expression<number>) {
  const evidence = parts.selectFrom('candles as t').where('t.round_id', '=', roundId);
  const agreedCandles = parts.selectFrom('agreed_candles as t').where('t.round_id', '=', roundId);
  return {
    evidence: rowsOf(
      EVIDENCE,
      evidence.where('t.amendment_id', '=', amendmentId).orderBy('t.hour_start').orderBy('t.asset').orderBy('t.source'),
    ),
    agreedCandles: rowsOf(
      AGREED_CANDLE,
      agreedCandles.where('t.amendment_id', '=', amendmentId).orderBy('t.hour_start').orderBy('t.asset'),
    ),
  };
}
