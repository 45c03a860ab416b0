import { Migration } from '@mikro-orm/migrations';

/** The newest decision and a witness' newest cosignature are found by an index, whatever came before them. */
export class NewestDecided extends Migration {
  override up(): void {
    this.addSql(`
drop index rounds_decided;
create index rounds_decided on rounds (decided_at) where status in ('resolved', 'void');
create index log_cosignatures_witness on log_cosignatures (witness, size);
`);
  }
}
