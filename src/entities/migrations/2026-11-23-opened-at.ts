import { Migration } from '@mikro-orm/migrations';

/** Each round has when it was opened, which the log tells for 30 days alone; for rounds that it still tells of, from there. */
export class OpenedAt extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table rounds add column opened_at timestamptz(3);
update rounds r set opened_at = e.at from events e where e.kind = 'ROUND_OPENED' and e.round_id = r.id;
`;
