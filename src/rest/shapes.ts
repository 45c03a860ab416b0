import type { Data } from './endpoint.ts';

/** The endpoint's own fields beside `success`. */
export function succeeded(data: Data): Data {
  return { success: true, ...fieldsOf(data['body']) };
}

/** Moves fields of the object `from` up beside it. */
export function lifted(from: string, names: readonly string[]): (data: Data) => Data {
  return (data) => {
    const object = fieldsOf(data[from]);
    const stay = Object.entries(object).filter(([name]) => !names.includes(name));
    return {
      ...data,
      [from]: Object.fromEntries(stay),
      ...Object.fromEntries(names.map((name) => [name, object[name]])),
    };
  };
}

/** `time_remaining_seconds` stands beside the round, and is 0 without one. */
export function currentRound(data: Data): Data {
  if (data['round'] == null) return { round: null, time_remaining_seconds: 0 };
  const { round, ...beside } = lifted('round', ['time_remaining_seconds'])(data);
  return { round: { ...fieldsOf(round), assets: providerIds(round) }, ...beside };
}

/** Each asset's prices as keys of the round, and its predictions beside it. */
export function results(data: Data): Data {
  const { round, ...beside } = lifted('round', ['predictions'])(data);
  const prices = assetsOf(round).flatMap((asset) => {
    const symbol = String(asset['symbol']).toLowerCase();
    return [
      [`start_${symbol}_price`, asset['start_price']],
      [`end_${symbol}_price`, asset['end_price']],
      [`${symbol}_return_pct`, asset['return_pct']],
    ];
  });
  return { round: { ...fieldsOf(round), assets: providerIds(round), ...Object.fromEntries(prices) }, ...beside };
}

/** A round's predictions alone. */
export function entries(data: Data): Data {
  return { entries: fieldsOf(data['round'])['entries'] };
}

/** Whether the round that the data has under `name` is decided: then nothing about it changes any more. */
export function hasDecided(name: string): (data: Data) => boolean {
  return (data) => ['resolved', 'void'].includes(String(fieldsOf(data[name])['status']));
}

/** The rounds alone; `btc_return_pct` and `eth_return_pct` are always there, null where a round is not about them. */
export function flatRounds(data: Data): Data {
  return {
    rounds: listOf(fieldsOf(data['rounds'])['nodes']).map((round) => {
      const { assets: _assets, ...fields } = round;
      const returnOf = (symbol: string) =>
        assetsOf(round).find((asset) => asset['symbol'] === symbol)?.['return_pct'] ?? null;
      return { ...fields, btc_return_pct: returnOf('BTC'), eth_return_pct: returnOf('ETH') };
    }),
  };
}

/** Prices keyed by symbol; `btc` and `eth` again at the top level, kept for backward compatibility (spec 2.6). */
export function marketByAsset(data: Data): Data {
  const market = fieldsOf(data['body']);
  const assets = Object.fromEntries(assetsOf(market).map(({ symbol, ...prices }) => [String(symbol), prices]));
  return { ...market, assets, btc: assets['BTC'], eth: assets['ETH'] };
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
