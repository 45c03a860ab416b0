import { Migration } from '@mikro-orm/migrations';

/**
 * Ids of predictions, and what counts predictions of many rounds, beyond 2^31: at a million predictions an hour that is
 * reached within 90 days. Ids of agents and rounds, and what counts the predictions of one round, stay as they are.
 * Rewrites the table of predictions, which nobody reads or writes meanwhile.
 */
export class WideNumbers extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
-- In the order in which submissions lock them.
lock table predictions, rounds in access exclusive mode;
alter table predictions alter column id type bigint;
alter sequence predictions_id_seq as bigint;
alter table rounds alter column confidence_sum type bigint;
-- Exact up to 2^53, and a version before reads it as a number; of a bigint it would add to the text.
alter table platform alter column decided_predictions type double precision;
alter table field_tallies alter column daily_n type bigint, alter column weekly_n type bigint,
  alter column monthly_n type bigint, alter column alltime_n type bigint;
`;
