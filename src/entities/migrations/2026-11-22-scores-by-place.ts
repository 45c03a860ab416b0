import { Migration } from '@mikro-orm/migrations';

/** Two indexes of scores in place of three: a prediction has one score by the index that holds its agent's record. */
export class ScoresByPlace extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create unique index scores_agent_rounds_next on scores (agent_id, round_id)
  include (is_correct, score, streak_bonus, pnl_usd, brier, edge_millionths);
drop index scores_agent_rounds;
alter index scores_agent_rounds_next rename to scores_agent_rounds;
alter table scores drop constraint scores_pkey;
alter table scores add constraint scores_pkey primary key using index scores_place_unique;
`;
