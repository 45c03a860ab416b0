import { Migration } from '@mikro-orm/migrations';

/** The number of agents on each board: a request would read every standing. */
export class WholeBoards extends Migration {
  override up(): void {
    this.addSql('alter table ordered_boards add column total int');
  }
}
