import type { Asset, ByAsset } from '../../rules/assets.ts';
import { MINUTE, SECOND } from '../../rules/hours.ts';

interface Traits {
  /** The long-term mean, in USD. */
  readonly base: number;
  /** Fraction digits: seven significant ones, so that equal prices are rare. */
  readonly digits: number;
  /** Standard deviation of an hour's return, in percent. */
  readonly hourlyPct: number;
  readonly withMarket: number;
  readonly perMinute: number;
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

/** USD in the second that contains `time` (ms since 1970), as a number that `priceText` writes exactly. */
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

/** Whole thousandths of the asset, so that sums are exact. */
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

/** 2^22 s, some 48 days: at both ends of a block the walk is tied to bounded values. */
const LEVELS = 22;
const BLOCK = 2 ** LEVELS;
const SECONDS_PER_HOUR = 3600;
const DEVIATIONS = Float64Array.from({ length: LEVELS }, (_, level) =>
  Math.sqrt(BLOCK / 2 ** level / 4 / SECONDS_PER_HOUR),
);
const BOUND = 0.5 * Math.sqrt(BLOCK / SECONDS_PER_HOUR);

/**
 * A Brownian motion of variance 1 an hour, computed for any second by itself. Levy's construction within a block: the middle is
 * the mean of the ends plus noise of a quarter of the variance. Ends of blocks are hashed values in +-BOUND, so the walk stays
 * around 0.
 */
export function walkAt(seed: number, second: number): number {
  const block = Math.floor(second / BLOCK);
  const target = second - block * BLOCK;
  let left = blockEnd(seed, block);
  if (target === 0) return left;
  let right = blockEnd(seed, block + 1);
  let start = 0;
  let half = BLOCK / 2;
  let value = left;
  for (const deviation of DEVIATIONS) {
    const middle = start + half;
    value = (left + right) / 2 + deviation * hashedBell(seed, block, middle);
    if (target === middle) break;
    if (target < middle) right = value;
    else {
      left = value;
      start = middle;
    }
    half /= 2;
  }
  return value;
}

function blockEnd(seed: number, block: number): number {
  return (2 * hashedUniform(seed, block, 0) - 1) * BOUND;
}

// Each access of a global is slow under a test runner's module loader.
const { imul } = Math;
const UNIFORM_BITS = 16;
const UNIFORMS = 4;
const MEAN = (UNIFORMS * (2 ** UNIFORM_BITS - 1)) / 2;
const SPREAD = Math.sqrt((UNIFORMS * (2 ** (2 * UNIFORM_BITS) - 1)) / 12);
const SECOND_WORD = 0x9e3779b9;

/** A number in [0, 1) from three integers by MurmurHash3, whose arithmetic is exact everywhere. */
export function hashedUniform(seed: number, first: number, second: number): number {
  return (finalMix(absorb(absorb(seed, first), second)) >>> 0) / 2 ** 32;
}

/** Mean 0 and variance 1: a sum of four uniform numbers, since logarithm and cosine (Box-Muller) differ between machines. */
export function hashedBell(seed: number, first: number, second: number): number {
  const state = absorb(absorb(seed, first), second);
  const one = finalMix(state);
  const two = finalMix(state ^ SECOND_WORD);
  return ((one & 0xffff) + (one >>> 16) + (two & 0xffff) + (two >>> 16) - MEAN) / SPREAD;
}

function absorb(state: number, word: number): number {
  let mixed = imul(word, 0xcc9e2d51);
  mixed = imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
  const joined = state ^ mixed;
  return (imul((joined << 13) | (joined >>> 19), 5) + 0xe6546b64) | 0;
}

function finalMix(state: number): number {
  let mixed = imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
