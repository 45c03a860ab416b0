import { Migration } from '@mikro-orm/migrations';

/** Predictions that the service made of standing ones are marked; those of the rounds before were all submitted. */
export class Standing extends Migration {
  override up(): void {
    this.addSql('alter table predictions add column standing boolean not null default false');
  }
}
