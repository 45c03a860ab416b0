import { Migration } from '@mikro-orm/migrations';

/** One more sum of each window and kind: the squares of arena points. */
export class SquaresOfArenaPoints extends Migration {
  override up(): void {
    const windows = ['daily', 'weekly', 'monthly', 'alltime'].map(
      (window) => `add column ${window}_arena_points_square_sum bigint not null default 0`,
    );
    this.addSql(`alter table standings ${windows.join(', ')};
      alter table kind_sums add column arena_points_square_sum bigint[] not null default '{}';`);
  }
}
