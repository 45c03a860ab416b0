import { defineEntity, p } from '@mikro-orm/postgresql';

import { KEPT_DIMENSIONS } from '../rules/breakdowns.ts';
import { GROUP_FIGURE_DIGITS, GROUP_SUMS, type GroupSum } from '../rules/sums.ts';

export const NO_DIMENSION = '';

/** All days since the beginning. */
export const EVERY_DAY = -1;

/** A column for each sum of a group of predictions: whole numbers, or exact decimals. */
export function groupSums() {
  return Object.fromEntries(
    Object.values(GROUP_SUMS).map((sum) => [
      sum.column,
      (isWhole(sum) ? p.bigint('number') : p.decimal('string').columnType('numeric')).name(sum.column),
    ]),
  );
}

function isWhole(sum: GroupSum): boolean {
  return 'counts' in sum || GROUP_FIGURE_DIGITS['sum' in sum ? sum.sum : sum.squares] === 0;
}

/**
 * Sums over all agents' scored predictions of a UTC day by one or two properties, so that breakdowns read no history. A
 * prediction counts on the day of its round's hour, for dimensions of assets once per deciding asset. Written once per
 * round, after its resolution.
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
    ...groupSums(),
  },
  checks: [{ name: 'daily_tallies_n_check', expression: 'n > 0 and hits <= n and edge_n <= n' }],
});
