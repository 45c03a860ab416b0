import { Migration } from '@mikro-orm/migrations';

/** Every sum begins at nothing, so that a version that has one more runs beside one that lacks it. */
export class DefaultsOfSums extends Migration {
  override up(): void {
    this.addSql(`alter table standings ${TOTALS.join(', ')}; alter table kind_sums ${LISTS.join(', ')};`);
  }
}

const SUMS = 'points arena_points wins competitions pnl_usd brier_sum reference_brier_sum'.split(' ');
const FURTHER_SUMS = (
  'points_square_sum skill_square_sum edge_sum edge_square_sum without_edge contribution_sum peer_sum choices_4 choices_8 ' +
  'chance_pnl_sum chance_pnl_variance arena_edges arena_edge_sum arena_edge_square_sum'
).split(' ');

const TOTALS = ['daily', 'weekly', 'monthly', 'alltime'].flatMap((window) =>
  SUMS.map((sum) => `alter ${window}_${sum} set default 0`),
);

const LISTS = [...SUMS, ...FURTHER_SUMS].map((sum) => `alter ${sum} set default '{}'`);
