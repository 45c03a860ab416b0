import { Migration } from '@mikro-orm/migrations';

/** The prices within rounds, and what beside them says what the price alone said of a round's answers. */
export class References extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table round_quotes (
  round_id int not null,
  point smallint not null,
  prices double precision[] not null,
  highs double precision[] not null,
  lows double precision[] not null,
  primary key (round_id, point)
);
alter table round_quotes add constraint round_quotes_point_check check (point >= 0 and point < 240);
alter table round_quotes add constraint round_quotes_lengths_check
  check (cardinality(prices) >= 1 and cardinality(prices) <= 8 and cardinality(highs) = cardinality(prices)
    and cardinality(lows) = cardinality(prices));
alter table round_quotes add constraint round_quotes_price_check
  check ('0'::double precision < all (prices) and '0'::double precision < all (highs) and '0'::double precision < all (lows));
alter table round_quotes add constraint round_quotes_round_id_foreign
  foreign key (round_id) references rounds (id) on update no action on delete no action;
create trigger round_quotes_kept before update or delete or truncate on round_quotes
  for each statement execute function refuse_change();

create table reference_bases (
  round_id int not null,
  covariance double precision[] not null,
  sign_before smallint null,
  primary key (round_id)
);
alter table reference_bases add constraint reference_bases_covariance_check check (cardinality(covariance) = 64);
alter table reference_bases add constraint reference_bases_sign_check check (sign_before >= '-1'::integer and sign_before <= 1);
alter table reference_bases add constraint reference_bases_round_id_foreign
  foreign key (round_id) references rounds (id) on update no action on delete no action;
create trigger reference_bases_kept before update or delete or truncate on reference_bases
  for each statement execute function refuse_change();
`;
