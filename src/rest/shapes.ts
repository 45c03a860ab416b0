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

/** Whether the field `name` of the object `from` is true. */
export function flagOf(data: Data, from: string, name: string): boolean {
  return fieldsOf(data[from])[name] === true;
}

/** A submission; of one that was only checked there is no id yet. */
export function submitted(data: Data): Data {
  const { replayed: _replayed, dry_run: isDryRun, ...prediction } = fieldsOf(data['prediction']);
  if (isDryRun !== true) return { success: true, prediction };
  const id = prediction['id'] === 0 ? null : prediction['id'];
  return { success: true, dry_run: true, prediction: { ...prediction, id } };
}

/** The own profile; the rank is the one on the board that is shown unless another is asked for. */
export function ownProfile(data: Data): Data {
  const { standing, recent_predictions, ...agent } = fieldsOf(data['agent']);
  return { agent: { ...agent, ...fieldsOf(standing) }, recent_predictions };
}

/** A page of the own predictions, and where the next one begins. */
export function ownPredictions(data: Data): Data {
  const { nodes, pageInfo } = fieldsOf(fieldsOf(data['me'])['predictions']);
  const { hasNextPage, endCursor } = fieldsOf(pageInfo);
  return { predictions: nodes, next: hasNextPage === true ? endCursor : null };
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
  return { round: withPrices(round), ...beside };
}

/** A round alone, with each asset's prices as its keys. */
export function roundAlone(data: Data): Data {
  return { round: withPrices(data['round']) };
}

/** The next round, if there is one, and what follows. */
export function upcoming({ round, schedule }: Data): Data {
  return { round: round == null ? null : { ...fieldsOf(round), assets: providerIds(round) }, schedule };
}

function withPrices(round: unknown): Data {
  const { starts_at, ends_at, ...fields } = fieldsOf(round);
  const prices = assetsOf(round).flatMap((asset) => {
    const symbol = String(asset['symbol']).toLowerCase();
    return [
      [`start_${symbol}_price`, asset['start_price']],
      [`end_${symbol}_price`, asset['end_price']],
      [`${symbol}_return_pct`, asset['return_pct']],
    ];
  });
  return { ...fields, assets: providerIds(round), ...Object.fromEntries(prices), starts_at, ends_at };
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
      const { assets: _assets, starts_at, ends_at, ...fields } = round;
      const returnOf = (symbol: string) =>
        assetsOf(round).find((asset) => asset['symbol'] === symbol)?.['return_pct'] ?? null;
      return { ...fields, btc_return_pct: returnOf('BTC'), eth_return_pct: returnOf('ETH'), starts_at, ends_at };
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
