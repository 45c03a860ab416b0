import { Migration } from '@mikro-orm/migrations';

/** The longest streak of all agents: a request would read every standing. */
export class LongestStreak extends Migration {
  override up(): void {
    this.addSql(`
alter table platform add column streak_agent_id int;
update platform set streak_agent_id = (
  select agent_id from standings where best_streak > 0 order by best_streak desc, alltime_points desc, agent_id limit 1);
`);
  }
}
