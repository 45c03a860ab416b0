import { Migration } from '@mikro-orm/migrations';

/** How sure a round's answers were by minute; those of the rounds before are added up when they are read. */
export class CrowdConfidences extends Migration {
  override up(): void {
    this.addSql('alter table crowd_minutes add column confidence_sum bigint null');
  }
}
