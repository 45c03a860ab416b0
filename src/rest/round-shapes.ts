import { ASSETS } from '../rules/assets.ts';
import { itemsOf, objectOf, propertyOf } from './described.ts';
import type { Data, Shape } from './endpoint.ts';
import {
  at,
  each,
  fields,
  fieldsOf,
  GONE,
  keyed,
  listOf,
  objectFrom,
  or,
  orNull,
  partsOf,
  raised,
  spread,
  withText,
} from './shape.ts';

const PROVIDERS = withText(
  'Every asset whose candle decides, by its symbol, with its name at the source.',
  keyed('symbol', at('provider_id')),
);

const FIGURES = { start_price: 'start_*_price', end_price: 'end_*_price', return_pct: '*_return_pct' };

/** Figures of assets as fields; `absent` has the fields that remain for an unrelated round. */
function figures(symbols: readonly string[], names: readonly (keyof typeof FIGURES)[], absent: Data): Shape {
  const keysOf = (symbol: string) =>
    names.map((name) => [name, FIGURES[name].replace('*', symbol.toLowerCase())] as const);
  const keys = new Map(symbols.map((symbol) => [symbol, keysOf(symbol)]));
  return {
    apply(assets) {
      const shown: Record<string, unknown> = { ...absent };
      for (const asset of listOf(assets))
        for (const [name, key] of keys.get(String(asset['symbol'])) ?? []) shown[key] = asset[name];
      return shown;
    },
    describe(assets) {
      const shown = [...keys].flatMap(([symbol, ofSymbol]) =>
        ofSymbol.map(([name, key]) => {
          const figure = propertyOf(itemsOf(assets), name);
          return [key, { ...figure, description: `${symbol}, where the round is about it. ${figure.description}` }];
        }),
      );
      return { ...objectOf(Object.fromEntries(shown)), required: Object.keys(absent) };
    },
  };
}

const RETURNS = figures(['BTC', 'ETH'], ['return_pct'], { btc_return_pct: null, eth_return_pct: null });
const PRICES = figures(ASSETS, ['start_price', 'end_price', 'return_pct'], {});
const LAST = ['starts_at', 'ends_at', 'rules_version', 'amendments', 'archived'];

const PRICED = objectFrom({
  round: spread(fields({ assets: PROVIDERS, ...partsOf(LAST, () => GONE) })),
  prices: spread(at('assets', PRICES)),
  ...partsOf(LAST, (name) => at(name)),
});

export const currentRound = objectFrom({
  round: at('round', orNull(fields({ assets: PROVIDERS, time_remaining_seconds: GONE }))),
  time_remaining_seconds: at('round.time_remaining_seconds', or(0)),
});

export const results = raised('round', ['predictions'], PRICED);

export const roundAlone = objectFrom({ round: at('round', PRICED) });

export const upcoming = fields({ round: orNull(fields({ assets: PROVIDERS })) });

export const entries = objectFrom({ entries: at('round.entries'), archived: at('round.archived') });

export const flatRounds = objectFrom({ rounds: at('rounds.nodes', each(fields({ assets: spread(RETURNS) }))) });

/** The round under `name` is decided: only corrections by operators change it. */
export function hasDecided(name: string): (data: Data) => boolean {
  return (data) => ['resolved', 'void'].includes(String(fieldsOf(data[name])['status']));
}

/** Also requires predictions without rationale and model, which operators may hide at any time. */
export function hasDecidedWithoutWords(data: Data): boolean {
  const { predictions, entries: all = predictions } = fieldsOf(data['round']);
  return hasDecided('round')(data) && !listOf(all).some(({ rationale, model }) => rationale != null || model != null);
}
