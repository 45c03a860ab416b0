// Taken out of Math once: under a test runner's module loader each look-up of a global costs more than the product.
const { imul } = Math;
const UNIFORM_BITS = 16;
const UNIFORMS = 4;
const MEAN = (UNIFORMS * (2 ** UNIFORM_BITS - 1)) / 2;
const SPREAD = Math.sqrt((UNIFORMS * (2 ** (2 * UNIFORM_BITS) - 1)) / 12);
const SECOND_WORD = 0x9e3779b9;

/**
 * A number in [0, 1) that depends on the three integers alone, through MurmurHash3, whose arithmetic is exact
 * everywhere.
 */
export function hashedUniform(seed: number, first: number, second: number): number {
  return (finalMix(absorb(absorb(seed, first), second)) >>> 0) / 2 ** 32;
}

/**
 * A bell-shaped number of mean 0 and variance 1 that depends on the three integers alone: the sum of four uniform ones.
 * The usual formulas use logarithm and cosine, whose last digits differ between machines.
 */
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
