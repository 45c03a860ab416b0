import { Migration } from '@mikro-orm/migrations';

/** The platform's row says by which pepper the keys of its database are hashed, once a start has noted it. */
export class PepperMark extends Migration {
  override up(): void {
    this.addSql('alter table platform add column pepper_mark text');
  }
}
