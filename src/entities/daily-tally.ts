import { defineEntity, p } from '@mikro-orm/core';

import { KEPT_DIMENSIONS } from '../rules/breakdowns.ts';

/** Stands for no second dimension. */
export const NO_DIMENSION = '';

/** Stands for every day since the beginning. */
export const EVERY_DAY = -1;

/** What some scored predictions add up to (`SUMS` in src/reads/breakdowns.ts). */
export function breakdownSums() {
  return {
    n: p.bigint('number'),
    hits: p.bigint('number'),
    /** Of confidences in percent. */
    confidenceSum: p.bigint('number'),
    confidenceSquares: p.bigint('number'),
    brierSum: p.decimal('string').columnType('numeric'),
    brierSquares: p.decimal('string').columnType('numeric'),
    referenceSum: p.decimal('string').columnType('numeric'),
    /** Of squares of reference - Brier, one prediction at a time. */
    gainSquares: p.decimal('string').columnType('numeric'),
    pnlSum: p.decimal('string').columnType('numeric'),
    pnlSquares: p.decimal('string').columnType('numeric'),
    /** Predictions that have an edge. */
    edgeN: p.bigint('number'),
    edgeSum: p.decimal('string').columnType('numeric'),
    edgeSquares: p.decimal('string').columnType('numeric'),
  };
}

/**
 * What the scored predictions of all agents add up to on a UTC day, by one or two of their properties, so that the field
 * is broken down without its history. A prediction counts on the day of its round's hour, once for each asset that decided
 * the round where assets are a dimension. Written once a round, after its resolution.
 */
export const DailyTally = defineEntity({
  name: 'DailyTally',
  tableName: 'daily_tallies',
  properties: {
    firstDimension: p.enum(KEPT_DIMENSIONS).primary(),
    secondDimension: p.enum([...KEPT_DIMENSIONS, NO_DIMENSION]).primary(),
    /** Days since 1970-01-01, or `EVERY_DAY`. */
    day: p.integer().primary().autoincrement(false),
    firstValue: p.string().length(16).primary(),
    secondValue: p.string().length(16).primary(),
    ...breakdownSums(),
  },
  checks: [{ name: 'daily_tallies_n_check', expression: 'n > 0 and hits <= n and edge_n <= n' }],
});
