/** The eight assets of the arena, in the order in which they are listed everywhere (spec section 1). */
export const ASSETS = ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'] as const;

export type Asset = (typeof ASSETS)[number];

export type ByAsset<T> = Readonly<Record<Asset, T>>;

export function isAsset(value: unknown): value is Asset {
  return ASSETS.some((asset) => asset === value);
}

export function allKnown<T>(values: ByAsset<T | null>): values is ByAsset<T> {
  return ASSETS.every((asset) => values[asset] !== null);
}

export function byAsset<T>(make: (asset: Asset) => T): ByAsset<T> {
  return {
    BTC: make('BTC'),
    ETH: make('ETH'),
    SOL: make('SOL'),
    AVAX: make('AVAX'),
    DOGE: make('DOGE'),
    ADA: make('ADA'),
    LINK: make('LINK'),
    DOT: make('DOT'),
  };
}
