import { Migration } from '@mikro-orm/migrations';

/** Addresses that agents have events sent to, what came of the last tries, and the keys that sign what is sent. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table events drop constraint events_kind_check, add constraint events_kind_check check (kind in ('ROUND_STORED',
  'ROUND_OPENED', 'FORECAST', 'STANDING_APPLIED', 'ROUND_UNANSWERED', 'ROUND_CLOSED', 'ROUND_RESOLVED', 'ROUND_VOID',
  'LEADERBOARD_CHANGED', 'TIER_CHANGED', 'STANDING_LAPSED', 'WEBHOOK_DISABLED', 'ADMIN_ACTION'));
create unique index events_one_unanswered on events (round_id) where kind = 'ROUND_UNANSWERED';

alter table admin_actions drop constraint admin_actions_action_check,
  add constraint admin_actions_action_check
    check (action in ('void', 'retry', 'resolve', 'rekey', 'rename', 'block', 'unblock', 'remove', 'rotate'));

create table webhooks (
  id serial primary key,
  agent_id int not null constraint webhooks_agent_id_foreign references agents (id),
  place smallint not null,
  url varchar(1000) not null,
  kinds text[] not null,
  cursor_seq int not null,
  state text not null,
  failing_since timestamptz(3),
  failures int not null default 0,
  next_try_at timestamptz(3) not null default now(),
  claimed_until timestamptz(3) not null default now(),
  claim int not null default 0,
  slow boolean not null default false,
  tries int not null default 0,
  tests_asked int not null default 0,
  tests_sent int not null default 0,
  constraint webhooks_place unique (agent_id, place),
  constraint webhooks_place_check check (place >= 1 and place <= 3),
  constraint webhooks_state_check check (state in ('active', 'disabled', 'gone'))
);
create index webhooks_due on webhooks (next_try_at);

create table webhook_tries (
  webhook_id int not null constraint webhook_tries_webhook_id_foreign references webhooks (id) on delete cascade,
  slot smallint not null,
  number int not null,
  at timestamptz(3) not null,
  message_id varchar(64) not null,
  type varchar(64) not null,
  status smallint,
  error varchar(200),
  duration_ms int not null,
  primary key (webhook_id, slot),
  constraint webhook_tries_slot_check check (slot >= 0 and slot < 20)
);

create table service_keys (
  id serial primary key,
  public_key varchar(64) not null,
  private_key text,
  sealed boolean not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3),
  note text,
  signatures text[] not null,
  constraint service_keys_public_key_unique unique (public_key)
);
create unique index service_keys_current on service_keys ((retired_at is null)) where retired_at is null;
`;
