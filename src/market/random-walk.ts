import { hashedBell, hashedUniform } from './hashed-noise.ts';

/** 2^22 s, some 48 days: from one end of a block to the other the walk is tied to bounded values. */
const LEVELS = 22;
const BLOCK = 2 ** LEVELS;
const SECONDS_PER_HOUR = 3600;
const DEVIATIONS = Float64Array.from({ length: LEVELS }, (_, level) =>
  Math.sqrt(BLOCK / 2 ** level / 4 / SECONDS_PER_HOUR),
);
const BOUND = 0.5 * Math.sqrt(BLOCK / SECONDS_PER_HOUR);

/**
 * The value at `second` (since 1970) of walk number `seed`: a Brownian motion of variance 1 an hour, found for any
 * second by itself, without the ones before. Within a block it is Levy's construction: the middle of a stretch is
 * the mean of its ends plus noise of a quarter of the stretch's variance, down to the second asked for. The ends of
 * blocks are hashed values in +-BOUND, so the walk stays around 0 for ever.
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
