import { Migration } from '@mikro-orm/migrations';

/**
 * What is worked out of a round once it is decided, off its resolution: the crowd by minutes, the field's tallies by days,
 * and the boards of finished periods. Rounds that a version before decides, or decided, are found by `counted_at`.
 */
export class KeptAfterResolution extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table rounds add column counted_at timestamptz(3) null;
create index rounds_uncounted on rounds (id) where counted_at is null and status in ('resolved', 'void');

create table crowd_minutes (
  round_id int not null,
  minute smallint not null,
  prediction varchar(8) not null,
  n int not null,
  primary key (round_id, minute, prediction)
);
alter table crowd_minutes add constraint crowd_minutes_round_id_foreign
  foreign key (round_id) references rounds (id) on update no action on delete no action;
alter table crowd_minutes add constraint crowd_minutes_n_check check (n > 0);
create trigger crowd_minutes_kept before update or delete or truncate on crowd_minutes
  for each statement execute function refuse_change();

create table daily_tallies (
  first_dimension text not null,
  second_dimension text not null,
  day int not null,
  first_value varchar(16) not null,
  second_value varchar(16) not null,
  n bigint not null,
  hits bigint not null,
  confidence_sum bigint not null,
  confidence_squares bigint not null,
  brier_sum numeric not null,
  brier_squares numeric not null,
  reference_sum numeric not null,
  gain_squares numeric not null,
  pnl_sum numeric not null,
  pnl_squares numeric not null,
  edge_n bigint not null,
  edge_sum numeric not null,
  edge_squares numeric not null,
  primary key (first_dimension, second_dimension, day, first_value, second_value)
);
alter table daily_tallies add constraint daily_tallies_first_dimension_check
  check (first_dimension in ('QUESTION_TYPE', 'ASSET', 'HOUR_OF_DAY', 'WEEKDAY', 'LEAD_TIME', 'ANSWER'));
alter table daily_tallies add constraint daily_tallies_second_dimension_check
  check (second_dimension in ('QUESTION_TYPE', 'ASSET', 'HOUR_OF_DAY', 'WEEKDAY', 'LEAD_TIME', 'ANSWER', ''));
alter table daily_tallies add constraint daily_tallies_n_check check (n > 0 and hits <= n and edge_n <= n);

create table archives (
  period varchar(10) not null primary key,
  kind text not null,
  start_time timestamptz(0) not null,
  end_time timestamptz(0) not null,
  rounds int not null,
  agents int not null,
  rankings jsonb not null,
  frozen_at timestamptz(3) not null
);
alter table archives add constraint archives_kind_check check (kind in ('day', 'week', 'month'));
create index archives_kind_start on archives (kind, start_time);
create trigger archives_kept before update or delete or truncate on archives
  for each statement execute function refuse_change();
`;
