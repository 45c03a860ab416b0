import { defineEntity, p } from '@mikro-orm/core';
import { ASSETS } from '../rules/assets.ts';
import { Round } from './round.ts';

/** The evidence of a round: each source's candle of each asset and hour that was looked at. Never changed. */
const CandleSchema = defineEntity({
  name: 'Candle',
  tableName: 'candles',
  properties: {
    roundId: () =>
      p.manyToOne(Round).primary().mapToPk().joinColumn('round_id').deleteRule('no action').updateRule('no action'),
    source: p.string().length(255).primary(),
    asset: p.enum(ASSETS).primary(),
    hourStart: p.datetime(0).primary(),
    open: p.decimal('string').columnType('numeric'),
    high: p.decimal('string').columnType('numeric'),
    low: p.decimal('string').columnType('numeric'),
    close: p.decimal('string').columnType('numeric'),
    volume: p.decimal('string').columnType('numeric'),
    fetchedAt: p.datetime(3),
  },
});

export class Candle extends CandleSchema.class {}
CandleSchema.setClass(Candle);
