import { Migration } from '@mikro-orm/migrations';

import { appendOnly } from './first-schema/values.ts';

/** The log: a Merkle tree over predictions, outcomes and boards. Its first leaf comes with the next round that closes. */
export class Log extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table log_tiles (
  level smallint not null,
  index bigint not null,
  hashes bytea not null,
  primary key (level, index)
);
-- Hashes do not compress.
alter table log_tiles alter hashes set storage external;

create table log_records (
  index bigint primary key,
  kind text not null,
  round_id int,
  period varchar(10),
  entries int,
  leaf text not null,
  salt varchar(32),
  note text,
  at timestamptz(3) not null,
  constraint log_records_kind_check check (kind in ('epoch', 'closed', 'decided', 'amended', 'forecast', 'frozen')),
  constraint log_records_entries_check check ((kind = 'closed') = (entries is not null))
);
create index log_records_round on log_records (round_id, index);
${appendOnly('log_records')}

create table erased_words (
  round_id int not null,
  agent_id int not null,
  digest varchar(64) not null,
  primary key (round_id, agent_id)
);
${appendOnly('erased_words')}

create table log_state (
  id smallint primary key,
  origin text not null,
  epoch int not null,
  logged_epoch int not null,
  size bigint not null,
  note text,
  at timestamptz(3),
  constraint log_state_one_row_check check (id = 1)
);
insert into log_state (id, origin, epoch, logged_epoch, size)
values (1, 'hourcast.log/' || left(replace(gen_random_uuid()::text, '-', ''), 16), 1, 0, 0);
`;
