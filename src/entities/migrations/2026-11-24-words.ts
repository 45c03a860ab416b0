import { Migration } from '@mikro-orm/migrations';

import { PERIODS } from './first-schema/values.ts';

/** What agents say beside their answers and of themselves, and what the predictions of each model add up to. */
export class Words extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const sums = (type: string, names: string): string =>
  names.replaceAll(' ', ', ').replaceAll(/\w+/gu, (name) => `${name} ${type} not null`);

const SCHEMA = `
alter table agents add column about varchar(280) null, add column url varchar(200) null;

create table rationales (
  round_id int not null,
  agent_id int not null,
  rationale varchar(2000) null,
  model varchar(80) null,
  hidden_at timestamptz(3) null,
  primary key (round_id, agent_id),
  constraint rationales_prediction_foreign foreign key (round_id, agent_id) references predictions (round_id, agent_id),
  constraint rationales_some_check check (rationale is not null or model is not null)
);
create index rationales_agent on rationales (agent_id, round_id);

create table model_sums (
  model varchar(80) not null,
  period text not null,
  ${sums('bigint', 'n hits confidence_sum confidence_squares edge_n')},
  ${sums('numeric', 'brier_sum brier_squares reference_sum gain_squares pnl_sum pnl_squares edge_sum edge_squares')},
  primary key (model, period),
  constraint model_sums_period_check check (period in ${PERIODS})
);
create index model_sums_most on model_sums (period, n desc, model);

alter table admin_actions drop constraint admin_actions_action_check,
  add constraint admin_actions_action_check
    check (action in ('void', 'retry', 'resolve', 'rekey', 'rename', 'block', 'unblock', 'hide', 'remove', 'rotate'));
`;
