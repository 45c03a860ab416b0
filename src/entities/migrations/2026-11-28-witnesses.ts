import { Migration } from '@mikro-orm/migrations';

import { appendOnly } from './first-schema/values.ts';

/** Witnesses' cosignatures of the log's checkpoints. */
export class Witnesses extends Migration {
  override up(): void {
    this.addSql(`
create table log_cosignatures (
  size bigint not null,
  witness text not null,
  line text not null,
  primary key (size, witness)
);
${appendOnly('log_cosignatures')}`);
  }
}
