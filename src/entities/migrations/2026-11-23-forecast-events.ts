import { Migration } from '@mikro-orm/migrations';

/** The log tells of each forecast that is recorded. */
export class ForecastEvents extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table events drop constraint events_kind_check, add constraint events_kind_check check (kind in ('ROUND_STORED',
  'ROUND_OPENED', 'FORECAST', 'ROUND_CLOSED', 'ROUND_RESOLVED', 'ROUND_VOID', 'LEADERBOARD_CHANGED', 'TIER_CHANGED', 'ADMIN_ACTION'));
`;
