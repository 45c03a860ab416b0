import { found } from '../oracle/json.ts';

function density(at: number): number {
  return Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
}

/** P(Z <= z) of a standard normal, by Simpson's rule over the density from 0 to z. */
export function below(z: number): number {
  const end = Math.min(9, Math.abs(z));
  const steps = 400;
  let sum = 0;
  for (let step = 0; step <= steps; step += 1) {
    const weight = step === 0 || step === steps ? 1 : 2 + 2 * (step % 2);
    sum += weight * density((end * step) / steps);
  }
  const half = (sum * end) / steps / 3;
  return z < 0 ? 0.5 - half : 0.5 + half;
}

const SEED = 0x68_63_31_31;
const ROWS = 1024;
const COLUMNS = 8;

/** The published draw: 1,024 rows of 8 standard normals, by mulberry32 and Marsaglia's polar method. */
export const ROWS_OF_NORMALS: readonly (readonly number[])[] = rowsOfNormals();

function rowsOfNormals(): readonly (readonly number[])[] {
  const next = mulberry32(SEED);
  const numbers: number[] = [];
  while (numbers.length < ROWS * COLUMNS) {
    const [x, y] = [2 * next() - 1, 2 * next() - 1];
    const s = x * x + y * y;
    if (s === 0 || s >= 1) continue;
    const scale = Math.sqrt((-2 * Math.log(s)) / s);
    numbers.push(x * scale, y * scale);
  }
  return Array.from({ length: ROWS }, (_, row) => numbers.slice(row * COLUMNS, (row + 1) * COLUMNS));
}

/** Uniform from 0 to below 1. */
export function mulberry32(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function entry(list: readonly (readonly number[])[], row: number, column: number): number {
  return found(list[row]?.[column], `entry ${row}, ${column}`);
}

/** L with L L' = the matrix, column by column. A column without a pivot stays empty. */
export function cholesky(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const size = matrix.length;
  const lower = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
  for (let column = 0; column < size; column += 1) {
    for (let row = column; row < size; row += 1) {
      let rest = entry(matrix, row, column);
      for (let before = 0; before < column; before += 1)
        rest -= entry(lower, row, before) * entry(lower, column, before);
      const pivot = row === column ? Math.sqrt(Math.max(0, rest)) : entry(lower, column, column);
      found(lower[row], `row ${row}`)[column] = row === column ? pivot : pivot === 0 ? 0 : rest / pivot;
    }
  }
  return lower;
}
