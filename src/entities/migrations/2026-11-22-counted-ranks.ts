import { Migration } from '@mikro-orm/migrations';

/**
 * What lets a resolution touch only what its round touches: agents counted by points in place of a rank for each number
 * of points, an order of all-time points, and scores whose predictions are looked up together. Ranks of the version
 * before stay for one that still runs, and what that one resolves is counted anew by the next resolution.
 */
export class CountedRanks extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table board_counts (
  period text not null,
  bits smallint not null,
  bucket int not null,
  agents int not null,
  primary key (period, bits, bucket)
);
alter table board_counts add constraint board_counts_period_check
  check (period in ('daily', 'weekly', 'monthly', 'alltime'));
alter table board_counts add constraint board_counts_agents_check check (agents >= 0);
insert into board_counts (period, bits, bucket, agents)
  select w.period, bits, w.points >> bits, count(*)
  from standings s
  cross join lateral (values
    ('daily', s.daily_points, s.daily_competitions), ('weekly', s.weekly_points, s.weekly_competitions),
    ('monthly', s.monthly_points, s.monthly_competitions), ('alltime', s.alltime_points, s.alltime_competitions)
  ) w(period, points, competitions)
  cross join unnest(array[0, 6, 12]) as bits
  where w.competitions > 0
  group by 1, 2, 3;
alter table platform add column ranks_counted_at timestamptz(3) null;
update platform set ranks_counted_at = boards_updated_at;

create index standings_points on standings (alltime_points desc, agent_id);

alter table scores drop constraint scores_prediction_foreign;
create function refuse_unpredicted() returns trigger language plpgsql as $$
declare
  rounds record;
  found record;
begin
  select min(round_id) as first, max(round_id) as last from added into rounds;
  -- Planned for each statement: a plan for few rows is a bad one for a million.
  execute 'select a.round_id, a.agent_id from added a
    left join (select round_id, agent_id from predictions where round_id between $1 and $2) p
      on p.round_id = a.round_id and p.agent_id = a.agent_id
    where p.round_id is null limit 1' into found using rounds.first, rounds.last;
  if found.round_id is not null then
    raise exception 'there is no prediction of agent % in round %', found.agent_id, found.round_id
      using errcode = 'foreign_key_violation', constraint = 'scores_prediction_foreign', table = 'scores';
  end if;
  return null;
end
$$;
create trigger scores_prediction_foreign after insert on scores
  referencing new table as added for each statement execute function refuse_unpredicted();
`;
