import { Migration } from '@mikro-orm/migrations';

/** How often and why submissions were refused, for the agents' records of their rounds. */
export class Refusals extends Migration {
  override up(): void {
    this.addSql(`
      create table refusals (
        round_id int not null,
        agent_id int not null,
        refusals int not null,
        reason varchar(40) not null,
        refused_at timestamptz(3) not null,
        primary key (round_id, agent_id),
        constraint refusals_refusals_check check (refusals > 0),
        constraint refusals_round_id_foreign foreign key (round_id) references rounds (id) on delete cascade,
        constraint refusals_agent_id_foreign foreign key (agent_id) references agents (id)
      )`);
  }
}
