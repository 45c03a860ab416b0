import { Migration } from '@mikro-orm/migrations';

/** Boards by points over their whole length, and agents by the beginning of their name. */
export class WholeBoards extends Migration {
  override up(): void {
    this.addSql(`
      alter table ordered_boards add column later int[] not null default '{}';
      create index agents_name_beginning on agents (name_key collate "C")`);
  }
}
