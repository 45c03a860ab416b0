import { ASSETS } from '../rules/assets.ts';
import { type Described, itemsOf, mapOf, nullable, objectOf, propertiesOf, propertyOf, without } from './described.ts';
import type { Data, Shape } from './endpoint.ts';
import { fieldsOf, lifted, listOf } from './shapes.ts';

const roundWithTime = lifted('round', ['time_remaining_seconds']);

/** `time_remaining_seconds` stands beside the round, and is 0 without one. */
export const currentRound: Shape = {
  apply(data, variables) {
    if (data['round'] == null) return { round: null, time_remaining_seconds: 0 };
    const { round, ...beside } = roundWithTime.apply(data, variables);
    return { round: withProviderIds(round), ...beside };
  },
  describe(described) {
    const { round, ...beside } = propertiesOf(roundWithTime.describe(described));
    return objectOf({ round: nullable(describedWithProviderIds(round)), ...beside });
  },
};

const roundWithPredictions = lifted('round', ['predictions']);

/** Each asset's prices as keys of the round, and its predictions beside it. */
export const results: Shape = {
  apply(data, variables) {
    const { round, ...beside } = roundWithPredictions.apply(data, variables);
    return { round: withPrices(round), ...beside };
  },
  describe(described) {
    const { round, ...beside } = propertiesOf(roundWithPredictions.describe(described));
    return objectOf({ round: describedWithPrices(round), ...beside });
  },
};

/** A round alone, with each asset's prices as its keys. */
export const roundAlone: Shape = {
  apply: (data) => ({ round: withPrices(data['round']) }),
  describe: (described) => objectOf({ round: describedWithPrices(propertyOf(described, 'round')) }),
};

/** The next round, if there is one, and what follows. */
export const upcoming: Shape = {
  apply: ({ round, schedule }) => ({ round: round == null ? null : withProviderIds(round), schedule }),
  describe(described) {
    const round = propertyOf(described, 'round');
    return objectOf({
      round: { ...nullable(describedWithProviderIds(round)), ...descriptionOf(round) },
      schedule: propertyOf(described, 'schedule'),
    });
  },
};

/** A round's predictions alone. */
export const entries: Shape = {
  apply: (data) => ({ entries: fieldsOf(data['round'])['entries'] }),
  describe: (described) => objectOf({ entries: propertyOf(propertyOf(described, 'round'), 'entries') }),
};

/** The rounds alone; `btc_return_pct` and `eth_return_pct` are always there, null where a round is not about them. */
export const flatRounds: Shape = {
  apply: (data) => ({
    rounds: listOf(fieldsOf(data['rounds'])['nodes']).map((round) => {
      const { assets: _assets, starts_at, ends_at, rules_version, ...fields } = round;
      const returnOf = (symbol: string) =>
        assetsOf(round).find((asset) => asset['symbol'] === symbol)?.['return_pct'] ?? null;
      return {
        ...fields,
        btc_return_pct: returnOf('BTC'),
        eth_return_pct: returnOf('ETH'),
        starts_at,
        ends_at,
        rules_version,
      };
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

/** Whether the round that the data has under `name` is decided: then corrections by operators alone change anything about it. */
export function hasDecided(name: string): (data: Data) => boolean {
  return (data) => ['resolved', 'void'].includes(String(fieldsOf(data[name])['status']));
}

/** The same of a round with predictions, beside which nobody said anything: an operator may hide words at any time. */
export function hasDecidedWithoutWords(data: Data): boolean {
  const { predictions, entries: all = predictions } = fieldsOf(data['round']);
  return hasDecided('round')(data) && !listOf(all).some(({ rationale, model }) => rationale != null || model != null);
}

function withPrices(round: unknown): Data {
  const { starts_at, ends_at, rules_version, amendments, ...fields } = fieldsOf(round);
  const prices = assetsOf(round).flatMap((asset) =>
    priceKeys(String(asset['symbol'])).map(({ key, field }) => [key, asset[field]]),
  );
  const added = { starts_at, ends_at, rules_version, amendments };
  return { ...fields, assets: providerIds(round), ...Object.fromEntries(prices), ...added };
}

/** The prices of assets that a round is not about are not there. */
function describedWithPrices(round: Described | undefined): Described {
  const asset = assetDescribed(round);
  const always = describedWithProviderIds(round);
  const prices = ASSETS.flatMap((symbol) =>
    priceKeys(symbol).map(({ key, field }) => [key, ofAsset(symbol, propertyOf(asset, field))] as const),
  );
  return { ...always, properties: { ...propertiesOf(always), ...Object.fromEntries(prices) } };
}

/** What a round calls an asset's figures. */
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

function withProviderIds(round: unknown): Data {
  return { ...fieldsOf(round), assets: providerIds(round) };
}

function providerIds(round: unknown): Data {
  return Object.fromEntries(assetsOf(round).map((asset) => [String(asset['symbol']), asset['provider_id']]));
}

function describedWithProviderIds(round: Described | undefined): Described {
  const id = propertyOf(assetDescribed(round), 'provider_id');
  const assets = mapOf(id, 'Every asset whose candle decides, by its symbol, with what it is called at the source.');
  return objectOf({ ...propertiesOf(round), assets }, round?.description);
}

function assetsOf(object: unknown): readonly Data[] {
  return listOf(fieldsOf(object)['assets']);
}

function assetDescribed(object: Described | undefined): Described {
  return itemsOf(propertyOf(object, 'assets'));
}

function descriptionOf({ description }: Described): Pick<Described, 'description'> {
  return description === undefined ? {} : { description };
}
