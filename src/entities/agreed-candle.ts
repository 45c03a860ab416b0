import { defineEntity, p } from '@mikro-orm/core';
import { ASSETS } from '../rules/assets.ts';
import { appendOnly } from './append-only.ts';
import { Round } from './round.ts';

/** The candles that a round was decided by: for each asset and hour what its sources agreed on. A trigger refuses every change. */
const AgreedCandleSchema = defineEntity({
  name: 'AgreedCandle',
  tableName: 'agreed_candles',
  properties: {
    roundId: () =>
      p.manyToOne(Round).primary().mapToPk().joinColumn('round_id').deleteRule('no action').updateRule('no action'),
    asset: p.enum(ASSETS).primary(),
    hourStart: p.datetime(0).primary(),
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

export class AgreedCandle extends AgreedCandleSchema.class {}
AgreedCandleSchema.setClass(AgreedCandle);
