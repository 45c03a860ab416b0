import { Migration } from '@mikro-orm/migrations';

import { appendOnly } from './first-schema/values.ts';

/** The arena's forecast at its checkpoints, recorded before the outcome, and how good it was. */
export class Forecasts extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table round_forecasts (
  round_id int not null,
  minute smallint not null,
  recorded_at timestamptz(3) not null,
  entries int not null,
  decided_until timestamptz(3) not null,
  unpriced smallint[] not null,
  probabilities double precision[] not null,
  said double precision[] not null,
  weights double precision[] not null,
  primary key (round_id, minute),
  constraint round_forecasts_minute_check check (minute > 0 and minute < 60),
  constraint round_forecasts_entries_check check (entries >= 0),
  constraint round_forecasts_lengths_check
    check (cardinality(said) = cardinality(weights) * cardinality(probabilities)),
  constraint round_forecasts_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('round_forecasts')}

create table forecast_scores (
  round_id int not null,
  minute smallint not null,
  decided_at timestamptz(3) not null,
  brier double precision not null,
  expert_briers double precision[] not null,
  totals double precision[] not null,
  primary key (round_id, minute),
  constraint forecast_scores_order unique (minute, decided_at),
  constraint forecast_scores_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('forecast_scores')}
`;
