import { ln } from '../statistics/elementary.ts';
import { uniforms } from '../statistics/uniforms.ts';

/** How many rows of 8 independent standard normals there are; half of them are the other half with its signs turned. */
const ROWS = 2048;
export const ROW_LENGTH = 8;
const SEED = 0x68_63_31_31;

/**
 * The same standard normals for everybody and every moment (common random numbers): a reference that anybody can work
 * out again, and that moves only as prices do. Made of + - * /, Math.imul and Math.sqrt alone.
 */
export const DRAWS: readonly (readonly number[])[] = drawsOf(SEED);

function drawsOf(seed: number): readonly (readonly number[])[] {
  const next = uniforms(seed);
  const rows = Array.from({ length: ROWS / 2 }, () =>
    Array.from({ length: ROW_LENGTH / 2 }, () => normalPair(next)).flat(),
  );
  return rows.flatMap((row) => [row, row.map((value) => -value)]);
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
