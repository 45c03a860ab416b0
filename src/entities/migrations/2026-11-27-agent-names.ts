import { Migration } from '@mikro-orm/migrations';

/** Agents by the beginning of their name. */
export class AgentNames extends Migration {
  override up(): void {
    this.addSql(`create index agents_name_beginning on agents (name_key collate "C")`);
  }
}
