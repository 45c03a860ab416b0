import { Migration } from '@mikro-orm/migrations';

/**
 * Each source's candle with all that is known of it, apart from what the sources agreed on; neither can be changed any
 * more, nor can what else is only ever added to. The platform knows where its prices come from.
 */
export class MarketEvidence extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table agreed_candles (
  round_id int not null,
  asset text not null,
  hour_start timestamptz(0) not null,
  open numeric not null,
  high numeric not null,
  low numeric not null,
  close numeric not null,
  volume numeric not null,
  primary key (round_id, asset, hour_start)
);
alter table agreed_candles add constraint agreed_candles_asset_check
  check (asset in ('BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'));
alter table agreed_candles add constraint agreed_candles_price_check
  check (low > 0 and low <= least(open, close) and high >= greatest(open, close));
alter table agreed_candles add constraint agreed_candles_round_id_foreign
  foreign key (round_id) references rounds (id) on update no action on delete no action;
insert into agreed_candles (round_id, asset, hour_start, open, high, low, close, volume)
  select round_id, asset, hour_start, open, high, low, close, volume from candles;

alter table candles
  alter column open type text, alter column open drop not null,
  alter column high type text, alter column high drop not null,
  alter column low type text, alter column low drop not null,
  alter column close type text, alter column close drop not null,
  alter column volume type text, alter column volume drop not null,
  add column body_hash varchar(64) null,
  add column source_time timestamptz(3) null,
  add column counted boolean not null default true,
  add column left_out text null;
alter table candles add constraint candles_counted_check
  check (counted = (left_out is null));
alter table candles add constraint candles_figures_check
  check (not counted or (open is not null and high is not null and low is not null and close is not null
    and volume is not null));
alter table candles add constraint candles_body_hash_check
  check (body_hash ~ '^[0-9a-f]{64}$');

alter table platform add column market text null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only ever added to: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation', constraint = tg_name;
end $$;
create trigger candles_kept before update or delete or truncate on candles
  for each statement execute function refuse_change();
create trigger agreed_candles_kept before update or delete or truncate on agreed_candles
  for each statement execute function refuse_change();
create trigger predictions_kept before update or delete or truncate on predictions
  for each statement execute function refuse_change();
create trigger scores_kept before update or delete or truncate on scores
  for each statement execute function refuse_change();
create trigger round_tallies_kept before update or delete or truncate on round_tallies
  for each statement execute function refuse_change();
`;
