import { defineEntity, p } from '@mikro-orm/core';
import { ASSETS } from '../rules/assets.ts';
import { belongsTo } from './table-parts.ts';
import { Round } from './round.ts';

/** An asset whose candle decides a round; the prices that decided it once the round is resolved, in USD. */
const RoundAssetSchema = defineEntity({
  name: 'RoundAsset',
  tableName: 'round_assets',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').deleteRule('cascade').primary(),
    asset: p.enum(ASSETS).primary(),
    /** Place in the question's list of assets, from 0. */
    position: p.smallint(),
    /** What the asset is called at the round's source. */
    providerId: p.string().length(64),
    open: p.decimal('string').columnType('numeric').nullable(),
    high: p.decimal('string').columnType('numeric').nullable(),
    low: p.decimal('string').columnType('numeric').nullable(),
    close: p.decimal('string').columnType('numeric').nullable(),
    /** Percent, four decimals, half away from zero: for display, never compared. */
    returnPct: p.decimal('string').precision(14).scale(4).nullable(),
  },
  checks: [{ name: 'round_assets_price_check', expression: 'open > 0 and low > 0 and high >= low' }],
});

export class RoundAsset extends RoundAssetSchema.class {}
RoundAssetSchema.setClass(RoundAsset);
