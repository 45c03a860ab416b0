import type { Asset, ByAsset } from '../rules/assets.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';
import { hashedUniform } from './hashed-noise.ts';
import { walkAt } from './random-walk.ts';

interface Traits {
  /** The price around which the simulated one stays, in USD. */
  readonly base: number;
  /** Digits after the point of its prices: seven significant ones, so that two prices are hardly ever the same. */
  readonly digits: number;
  /** Standard deviation of an hour's return, in percent. */
  readonly hourlyPct: number;
  /** Correlation of its returns with the walk that all assets share. */
  readonly withMarket: number;
  /** Units of the asset traded in an average minute. */
  readonly perMinute: number;
  /** The number of its own walk. */
  readonly seed: number;
}

/** Volatility and correlation are those of real hours of 2021 to 2023. */
const TRAITS: ByAsset<Traits> = {
  BTC: { base: 60_000, digits: 2, hourlyPct: 0.55, withMarket: 0.95, perMinute: 20, seed: 1 },
  ETH: { base: 3_000, digits: 3, hourlyPct: 0.7, withMarket: 0.87, perMinute: 250, seed: 2 },
  SOL: { base: 150, digits: 5, hourlyPct: 1.15, withMarket: 0.76, perMinute: 2_500, seed: 3 },
  AVAX: { base: 35, digits: 5, hourlyPct: 1.1, withMarket: 0.76, perMinute: 1_500, seed: 4 },
  DOGE: { base: 0.15, digits: 8, hourlyPct: 1, withMarket: 0.74, perMinute: 600_000, seed: 5 },
  ADA: { base: 0.5, digits: 7, hourlyPct: 0.9, withMarket: 0.8, perMinute: 150_000, seed: 6 },
  LINK: { base: 15, digits: 6, hourlyPct: 1, withMarket: 0.82, perMinute: 4_000, seed: 7 },
  DOT: { base: 7, digits: 6, hourlyPct: 0.95, withMarket: 0.82, perMinute: 7_000, seed: 8 },
};

const MARKET_SEED = 100;
const VOLUME_SEED = 200;
const VOLUME_DIGITS = 3;

/** The price in the second that contains `time` (ms since 1970): USD, as a number that `priceText` writes exactly. */
export function simulatedPrice(asset: Asset, time: number): number {
  const { base, hourlyPct, withMarket, seed } = TRAITS[asset];
  const second = Math.floor(time / SECOND);
  const own = Math.sqrt(1 - withMarket ** 2);
  const hours = withMarket * walkAt(MARKET_SEED, second) + own * walkAt(seed, second);
  return base * exponential((hourlyPct / 100) * hours);
}

export function priceText(asset: Asset, price: number): string {
  return price.toFixed(TRAITS[asset].digits);
}

/** What is traded in the minute that contains `time`, in whole thousandths of the asset, so that sums are exact. */
export function minuteVolume(asset: Asset, time: number): number {
  const { perMinute, seed } = TRAITS[asset];
  const share = 0.25 + 1.5 * hashedUniform(VOLUME_SEED + seed, Math.floor(time / MINUTE), 0);
  return Math.floor(perMinute * share * 10 ** VOLUME_DIGITS);
}

export function volumeText(thousandths: number): string {
  return (thousandths / 10 ** VOLUME_DIGITS).toFixed(VOLUME_DIGITS);
}

/** e^x to six digits for |x| < 1, by multiplication alone: `Math.exp` may differ between machines in the last digit. */
function exponential(x: number): number {
  let power = 1 + x / 2 ** 20;
  for (let doubling = 0; doubling < 20; doubling++) power *= power;
  return power;
}
