import { Migration } from '@mikro-orm/migrations';

/** What version 0.3.0 wrote for versions before it, and what nobody reads any more, goes; every score holds its confidence. */
export class OnlyWhatIsRead extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
-- In the order in which a resolution locks them.
lock table platform, scores, standings in access exclusive mode;
drop table board_ranks, board_candidates;
alter table platform drop column ranks_counted_at, drop column sums_kept_at;
alter table scores alter column confidence set not null;
alter table standings drop column skill_sum, drop column skill_square_sum;
`;
