import { defineEntity, p } from '@mikro-orm/postgresql';

import { ASSETS } from '../rules/assets.ts';
import { appendOnly, belongsTo } from './table-parts.ts';
import { Round } from './round.ts';

/** A figure as the source wrote it, as text, which keeps leading zeros. */
const figure = () => p.text().nullable();

/** The evidence of a round: each source's candle of each asset and hour, counted or not. */
export const Candle = defineEntity({
  name: 'Candle',
  tableName: 'candles',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    source: p.string().length(255).primary(),
    asset: p.enum(ASSETS).primary(),
    hourStart: p.datetime(0).primary(),
    /** The amendment that it belongs to; 0 for the first decision. */
    amendmentId: p.integer().primary().autoincrement(false).default(0),
    open: figure(),
    high: figure(),
    low: figure(),
    close: figure(),
    volume: figure(),
    /** SHA-256 of the response body, in hex. */
    bodyHash: p.string().length(64).nullable(),
    /** The time in the source's response. */
    sourceTime: p.datetime(3).nullable(),
    fetchedAt: p.datetime(3),
    /** True if the agreed candle is the median of this and others. */
    counted: p.boolean().default(true),
    /** The reason why it does not count. */
    leftOut: p.text().nullable(),
  },
  triggers: [appendOnly('candles')],
  checks: [
    { name: 'candles_counted_check', expression: 'counted = (left_out is null)' },
    {
      name: 'candles_figures_check',
      expression: `not counted or (open is not null and high is not null and low is not null and close is not null
        and volume is not null)`,
    },
    { name: 'candles_body_hash_check', expression: "body_hash ~ '^[0-9a-f]{64}$'" },
  ],
});

/** The candles that decided a round, one per asset and hour: the median of its sources. */
export const AgreedCandle = defineEntity({
  name: 'AgreedCandle',
  tableName: 'agreed_candles',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    asset: p.enum(ASSETS).primary(),
    hourStart: p.datetime(0).primary(),
    /** The amendment that it belongs to; 0 for the first decision. */
    amendmentId: p.integer().primary().autoincrement(false).default(0),
    open: p.decimal('string').columnType('numeric'),
    high: p.decimal('string').columnType('numeric'),
    low: p.decimal('string').columnType('numeric'),
    close: p.decimal('string').columnType('numeric'),
    volume: p.decimal('string').columnType('numeric'),
  },
  triggers: [appendOnly('agreed_candles')],
  checks: [
    {
      name: 'agreed_candles_price_check',
      expression: 'low > 0 and low <= least(open, close) and high >= greatest(open, close)',
    },
  ],
});
