import { ln } from '../statistics/elementary.ts';
import { uniforms } from '../statistics/uniforms.ts';

/** How many rows of standard normals there are; each is used a second time with its signs turned. */
export const ROWS = 1024;

export const ROW_LENGTH = 8;

const SEED = 0x68_63_31_31;

/**
 * Row after row, the same standard normals for everybody and every moment (common random numbers): a reference that
 * anybody can work out again, and that moves only as prices do. Made of + - * /, Math.imul and Math.sqrt alone.
 */
export const DRAWS: Readonly<Float64Array> = drawsOf(SEED);

function drawsOf(seed: number): Float64Array {
  const next = uniforms(seed);
  const draws = new Float64Array(ROWS * ROW_LENGTH);
  for (let index = 0; index < draws.length; index += 2) draws.set(normalPair(next), index);
  return draws;
}

/** Two independent standard normals (Marsaglia's polar method). */
function normalPair(next: () => number): readonly [number, number] {
  for (;;) {
    const [left, right] = [2 * next() - 1, 2 * next() - 1];
    const square = left * left + right * right;
    if (square > 0 && square < 1) {
      const scale = Math.sqrt((-2 * ln(square)) / square);
      return [left * scale, right * scale];
    }
  }
}
