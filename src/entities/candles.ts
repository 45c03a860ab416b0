import { defineEntity, p } from '@mikro-orm/core';

import { ASSETS } from '../rules/assets.ts';
import { appendOnly, belongsTo } from './table-parts.ts';
import { Round } from './round.ts';

/** A figure as the source wrote it: text, since a number would lose leading zeros. */
const figure = () => p.text().nullable();

/**
 * The evidence of a round: what each source showed of each asset and hour that was looked at, whether it counted or not.
 * A trigger refuses every change.
 */
export const Candle = defineEntity({
  name: 'Candle',
  tableName: 'candles',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    source: p.string().length(255).primary(),
    asset: p.enum(ASSETS).primary(),
    hourStart: p.datetime(0).primary(),
    /** The second decision that it belongs to; 0: the first. */
    amendmentId: p.integer().primary().autoincrement(false).default(0),
    open: figure(),
    high: figure(),
    low: figure(),
    close: figure(),
    volume: figure(),
    /** SHA-256 in hex of the body that it came from. */
    bodyHash: p.string().length(64).nullable(),
    /** The time that the source wrote on its answer. */
    sourceTime: p.datetime(3).nullable(),
    fetchedAt: p.datetime(3),
    /** Whether it is one of those that the agreed candle is the median of. */
    counted: p.boolean().default(true),
    /** The sentence that says why it does not count. */
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

/** The candles that a round was decided by: for each asset and hour what its sources agreed on. A trigger refuses every change. */
export const AgreedCandle = defineEntity({
  name: 'AgreedCandle',
  tableName: 'agreed_candles',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    asset: p.enum(ASSETS).primary(),
    hourStart: p.datetime(0).primary(),
    /** The second decision that it belongs to; 0: the first. */
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
