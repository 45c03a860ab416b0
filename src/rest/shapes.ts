import { ASSETS } from '../rules/assets.ts';
import {
  type Described,
  itemsOf,
  mapOf,
  nullable,
  objectOf,
  type Properties,
  propertiesOf,
  propertyOf,
  without,
} from './described.ts';
import type { Data, Shape } from './endpoint.ts';

/** The endpoint's own fields beside `success`. */
export const succeeded: Shape = {
  apply: (data) => ({ success: true, ...fieldsOf(data['body']) }),
  describe: (described) => objectOf({ success: SUCCESS, ...propertiesOf(propertyOf(described, 'body')) }),
};

/** Moves fields of the object `from` up beside it. */
export function lifted(from: string, names: readonly string[]): Shape {
  return {
    apply(data) {
      const object = fieldsOf(data[from]);
      const stay = Object.entries(object).filter(([name]) => !names.includes(name));
      return {
        ...data,
        [from]: Object.fromEntries(stay),
        ...Object.fromEntries(names.map((name) => [name, object[name]])),
      };
    },
    describe(described) {
      const object = propertyOf(described, from);
      const fields = propertiesOf(object);
      return objectOf({
        ...propertiesOf(described),
        [from]: objectOf(without(fields, names), object.description),
        ...Object.fromEntries(names.map((name) => [name, propertyOf(object, name)])),
      });
    },
  };
}

/** What was accepted, beside `success`; whether it is a repeat is said by a header. */
export const accepted: Shape = {
  apply(data) {
    const { replayed: _replayed, ...prediction } = fieldsOf(data['prediction']);
    return { success: true, prediction };
  },
  describe(described) {
    const prediction = propertyOf(described, 'prediction');
    const fields = without(propertiesOf(prediction), ['replayed']);
    return objectOf({ success: SUCCESS, prediction: objectOf(fields, prediction.description) });
  },
};

/** Whether the prediction that was accepted is the answer to an earlier request. */
export function wasReplayed(data: Data): boolean {
  return fieldsOf(data['prediction'])['replayed'] === true;
}

const roundWithTime = lifted('round', ['time_remaining_seconds']);

/** `time_remaining_seconds` stands beside the round, and is 0 without one. */
export const currentRound: Shape = {
  apply(data) {
    if (data['round'] == null) return { round: null, time_remaining_seconds: 0 };
    const { round, ...beside } = roundWithTime.apply(data);
    return { round: { ...fieldsOf(round), assets: providerIds(round) }, ...beside };
  },
  describe(described) {
    const { round, ...beside } = propertiesOf(roundWithTime.describe(described));
    const fields = { ...propertiesOf(round), assets: providerIdsDescribed(round) };
    return objectOf({ round: nullable(objectOf(fields, round?.description)), ...beside });
  },
};

const roundWithPredictions = lifted('round', ['predictions']);

/** Each asset's prices as keys of the round, and its predictions beside it. */
export const results: Shape = {
  apply(data) {
    const { round, ...beside } = roundWithPredictions.apply(data);
    const prices = assetsOf(round).flatMap((asset) =>
      priceKeys(String(asset['symbol'])).map(({ key, field }) => [key, asset[field]]),
    );
    return { round: { ...fieldsOf(round), assets: providerIds(round), ...Object.fromEntries(prices) }, ...beside };
  },
  describe(described) {
    const { round, ...beside } = propertiesOf(roundWithPredictions.describe(described));
    const asset = assetDescribed(round);
    const fields = { ...propertiesOf(round), assets: providerIdsDescribed(round) };
    const prices = ASSETS.flatMap((symbol) =>
      priceKeys(symbol).map(({ key, field }) => [key, ofAsset(symbol, propertyOf(asset, field))] as const),
    );
    const decided = {
      ...objectOf(fields, round?.description),
      properties: { ...fields, ...Object.fromEntries(prices) },
    };
    return objectOf({ round: decided, ...beside });
  },
};

/** A round's predictions alone. */
export const entries: Shape = {
  apply: (data) => ({ entries: fieldsOf(data['round'])['entries'] }),
  describe: (described) => objectOf({ entries: propertyOf(propertyOf(described, 'round'), 'entries') }),
};

/** Whether the round that the data has under `name` is decided: then nothing about it changes any more. */
export function hasDecided(name: string): (data: Data) => boolean {
  return (data) => ['resolved', 'void'].includes(String(fieldsOf(data[name])['status']));
}

/** The rounds alone; `btc_return_pct` and `eth_return_pct` are always there, null where a round is not about them. */
export const flatRounds: Shape = {
  apply: (data) => ({
    rounds: listOf(fieldsOf(data['rounds'])['nodes']).map((round) => {
      const { assets: _assets, ...fields } = round;
      const returnOf = (symbol: string) =>
        assetsOf(round).find((asset) => asset['symbol'] === symbol)?.['return_pct'] ?? null;
      return { ...fields, btc_return_pct: returnOf('BTC'), eth_return_pct: returnOf('ETH') };
    }),
  }),
  describe(described) {
    const nodes = propertyOf(propertyOf(described, 'rounds'), 'nodes');
    const round = itemsOf(nodes);
    const returnOf = (symbol: string) => ofAsset(symbol, nullable(propertyOf(assetDescribed(round), 'return_pct')));
    const fields = {
      ...without(propertiesOf(round), ['assets']),
      btc_return_pct: returnOf('BTC'),
      eth_return_pct: returnOf('ETH'),
    };
    return objectOf({ rounds: { ...nodes, items: objectOf(fields, round.description) } });
  },
};

/** Prices keyed by symbol; `btc` and `eth` again at the top level, kept for backward compatibility (spec 2.6). */
export const marketByAsset: Shape = {
  apply(data) {
    const market = fieldsOf(data['body']);
    const assets = Object.fromEntries(assetsOf(market).map(({ symbol, ...prices }) => [String(symbol), prices]));
    return { ...market, assets, btc: assets['BTC'], eth: assets['ETH'] };
  },
  describe(described) {
    const market = propertyOf(described, 'body');
    const prices = objectOf(without(propertiesOf(assetDescribed(market)), ['symbol']));
    const assets = mapOf(prices, 'The present price of each of the eight assets, by its symbol.');
    const again = (symbol: string): Described => ({ ...prices, description: `The same as \`assets.${symbol}\`.` });
    const fields: Properties = { ...propertiesOf(market), assets, btc: again('BTC'), eth: again('ETH') };
    return objectOf(fields, market.description);
  },
};

const SUCCESS: Described = { type: 'boolean', const: true, description: 'Always true; a refusal has `error` instead.' };

/** What a result calls an asset's figures. */
function priceKeys(symbol: string): readonly { readonly key: string; readonly field: string }[] {
  const name = symbol.toLowerCase();
  return [
    { key: `start_${name}_price`, field: 'start_price' },
    { key: `end_${name}_price`, field: 'end_price' },
    { key: `${name}_return_pct`, field: 'return_pct' },
  ];
}

function ofAsset(symbol: string, described: Described): Described {
  return { ...described, description: `${symbol}, where the round is about it. ${described.description ?? ''}`.trim() };
}

function assetDescribed(object: Described | undefined): Described {
  return itemsOf(propertyOf(object, 'assets'));
}

function providerIdsDescribed(object: Described | undefined): Described {
  const id = propertyOf(assetDescribed(object), 'provider_id');
  return mapOf(id, 'Every asset whose candle decides, by its symbol, with what it is called at the source.');
}

function providerIds(round: unknown): Data {
  return Object.fromEntries(assetsOf(round).map((asset) => [String(asset['symbol']), asset['provider_id']]));
}

function assetsOf(object: unknown): readonly Data[] {
  return listOf(fieldsOf(object)['assets']);
}

function fieldsOf(value: unknown): Data {
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new TypeError('An endpoint asks for fields of something that its document does not hold');
}

function listOf(value: unknown): readonly Data[] {
  if (Array.isArray(value)) return value.map(fieldsOf);
  throw new TypeError('An endpoint asks for items of something that its document does not hold');
}
