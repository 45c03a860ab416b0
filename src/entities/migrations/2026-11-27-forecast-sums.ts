import { Migration } from '@mikro-orm/migrations';

/** Sums of the forecasts' scores by question type and asset; those that are scored already are added up. */
export class ForecastSums extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
    this.addSql(FILLED);
  }
}

const SCHEMA = `
create table forecast_sums (
  kind text not null,
  minute smallint not null,
  as_of timestamptz(3) not null,
  sums jsonb not null,
  bins jsonb not null,
  primary key (kind, minute)
)`;

const inOrder = (figure: string): string => `sum(${figure} order by at)`;

const edge = (brier: string): string => `jsonb_build_object('n', count(*), 'sum', ${inOrder(`experts[1] - ${brier}`)},
  'squareSum', ${inOrder(`(experts[1] - ${brier}) * (experts[1] - ${brier})`)})`;

const EXPERTS = Array.from({ length: 9 }, (_, place) => inOrder(`experts[${place + 1}]`)).join(', ');

/** The sums in the order of the decisions in force; tenths only by kind. */
export const FILLED = `
with scored as (
  select k.kind, s.minute, s.decided_at as at, s.brier, s.expert_briers as experts, 1 - 1 / jsonb_array_length(r.choices)::float8 as coin,
    f.entries, f.probabilities, f.said, r.choices, r.outcome
  from forecast_scores s join rounds r on r.id = s.round_id and r.status = 'resolved'
  join round_forecasts f on f.round_id = s.round_id and f.minute = s.minute
  cross join lateral (values ('*'), (r.question_type), (r.subject)) k(kind)
  where k.kind is not null and not exists (select from amendments a where a.round_id = s.round_id
    and (a.amended_at > s.decided_at or a.amended_at = s.decided_at and a.outcome is null))
), counted as (
  select kind, minute, v.judged, least(9, floor(p.probability * 10)) as bin, count(*) as n,
    count(*) filter (where choices ->> p.place::int - 1 = outcome) as hits, sum(floor(p.probability * 1000000 + 0.5)) as sum
  from scored cross join lateral (values ('forecast', probabilities), ('price', said[1:cardinality(probabilities)]),
    ('crowd', case when entries > 0 then said[cardinality(probabilities) + 1:2 * cardinality(probabilities)] end)) v(judged, vector)
  cross join lateral unnest(v.vector) with ordinality as p(probability, place)
  where kind <> '*' group by 1, 2, 3, 4
), binned as (
  select kind, minute, jsonb_agg(jsonb_build_object('minute', minute, 'judged', judged, 'bin', bin, 'n', n, 'hits', hits, 'sum', sum)) as bins
  from counted group by 1, 2
)
insert into forecast_sums (kind, minute, as_of, sums, bins)
select kind, minute, max(at), jsonb_build_object('rounds', count(*), 'brier', ${inOrder('brier')},
  'expertBriers', jsonb_build_array(${EXPERTS}), 'coinBrier', ${inOrder('coin')},
  'edge', ${edge('brier')}, 'crowdEdge', ${edge('experts[2]')}, 'coinEdge', ${edge('coin')}), coalesce((array_agg(bins))[1], '[]')
from scored left join binned using (kind, minute) group by kind, minute`;
