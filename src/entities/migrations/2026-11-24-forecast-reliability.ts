import { Migration } from '@mikro-orm/migrations';

/** How often what forecasts called likely has happened, over all time; those that are scored already are counted. */
export class ForecastReliability extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table forecast_reliability (
  minute smallint not null,
  judged text not null,
  bin smallint not null,
  n int not null,
  hits int not null,
  sum bigint not null,
  primary key (minute, judged, bin),
  constraint forecast_reliability_judged_check check (judged in ('forecast', 'price', 'crowd')),
  constraint forecast_reliability_n_check check (n > 0 and hits <= n)
);
insert into forecast_reliability (minute, judged, bin, n, hits, sum)
select f.minute, v.judged, least(9, floor(p.probability * 10)), count(*), count(*) filter (where r.choices ->> p.place::int - 1 = r.outcome),
  sum(floor(p.probability * 1000000 + 0.5))
from forecast_scores s join round_forecasts f on f.round_id = s.round_id and f.minute = s.minute join rounds r on r.id = f.round_id
cross join lateral (values ('forecast', f.probabilities), ('price', f.said[1:cardinality(f.probabilities)]),
  ('crowd', case when f.entries > 0 then f.said[cardinality(f.probabilities) + 1:2 * cardinality(f.probabilities)] end)) v(judged, vector)
cross join lateral unnest(v.vector) with ordinality as p(probability, place)
group by 1, 2, 3;
`;
