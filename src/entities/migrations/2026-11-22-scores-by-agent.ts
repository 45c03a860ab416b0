import { Migration } from '@mikro-orm/migrations';

/** Agents' records by an index that resolution writes, in place of one that every accepted prediction had to. */
export class ScoresByAgent extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create index scores_agent_rounds on scores (agent_id, round_id)
  include (is_correct, score, streak_bonus, pnl_usd, brier);
create index rounds_without_scores on rounds (id) where status <> 'resolved';
drop index predictions_agent_newest;
`;
