import type { PlantedError } from './planting.ts';

/** The prediction `p` and its score `s`, as a difference names them. */
const PREDICTION = `'round ' || p.round_id || ', prediction ' || p.id || ' of ' || a.name`;
const OF_PREDICTION = `p.round_id = s.round_id and p.agent_id = s.agent_id and a.id = p.agent_id`;
const HOUR = `to_char(c.hour_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`;

/** What a changed column of one score shows: `[column, its new value]`. */
function changedScore(column: string, value: string, where: string): string {
  return `
    with before as (select * from scores s where ${where} order by round_id, place limit 1)
    update scores s set ${column} = (${value}) from before b, predictions p, agents a
    where s.round_id = b.round_id and s.agent_id = b.agent_id and ${OF_PREDICTION}
    returning ${PREDICTION} as place, '${column}' as name, to_jsonb(s.${column}) as published, to_jsonb(b.${column}) as recomputed`;
}

function changedRound(column: string, value: string, where: string): string {
  return `
    with before as (select * from rounds where ${where} order by id limit 1)
    update rounds r set ${column} = (${value}) from before b where r.id = b.id
    returning 'round ' || r.id as place, '${column}' as name, to_jsonb(r.${column}) as published, to_jsonb(b.${column}) as recomputed`;
}

/** In what is told of rounds: questions, prices, outcomes, predictions and their scores. */
export const ERRORS_IN_ROUNDS: readonly PlantedError[] = [
  {
    name: 'a changed score',
    statements: [changedScore('score', 's.score + 50', 's.round_id = 5 and s.place = 2')],
  },
  {
    name: 'a changed streak bonus',
    statements: [changedScore('streak_bonus', '25', 's.streak_bonus = 0 and s.is_correct')],
  },
  {
    name: 'the P&L of a prediction',
    statements: [changedScore('pnl_usd', 's.pnl_usd + 0.01', 's.round_id = 7 and s.place = 1')],
  },
  {
    name: 'an outcome that is no answer to the question',
    statements: [changedRound('outcome', `'MAYBE'`, `status = 'resolved'`)],
  },
  {
    name: 'the difficulty of a round',
    statements: [
      `with changed as (update rounds set difficulty_millionths = difficulty_millionths + 1
         where id = (select min(id) from rounds where difficulty_millionths is not null) returning *)
       select 'round ' || id || told as place, 'difficulty' as name, to_jsonb(difficulty_millionths / 1e6::float8) as published,
         to_jsonb((difficulty_millionths - 1) / 1e6::float8) as recomputed
       from changed, unnest(array['', ', exported']) told`,
    ],
  },
  {
    name: 'a high that falls within the hour',
    statements: [
      `with last as (select * from round_quotes order by round_id, point desc limit 1)
       update round_quotes q set highs = (select array_agg(low / 2) from unnest(q.lows) low) from last, rounds r
       where q.round_id = last.round_id and q.point = last.point and r.id = q.round_id
       returning 'round ' || q.round_id || ', prices at ' ||
           to_char((r.start_time + q.point * interval '15 s') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as place,
         'highs_only_rise' as name, to_jsonb(false) as published, to_jsonb(true) as recomputed`,
    ],
  },
  {
    name: 'the edge of a prediction',
    statements: [
      `update scores s set edge_millionths = edge_millionths + 1 from predictions p, agents a
       where s.round_id = 7 and s.place = 1 and ${OF_PREDICTION}
       returning ${PREDICTION} as place, 'edge' as name, to_jsonb(s.edge_millionths / 1e6::float8) as published,
         to_jsonb((s.edge_millionths - 1) / 1e6::float8) as recomputed`,
    ],
  },
  {
    // Between the low and the high so far: only the edges that follow from it tell.
    name: 'another price at the moment of a submission',
    statements: [
      `with chosen as (
         select q.* from round_quotes q join rounds r on r.id = q.round_id
         where r.status = 'resolved' and r.question_type = 'direction' and q.highs <> q.lows
           and exists (select from predictions p where p.round_id = q.round_id
             and floor(date_part('epoch', p.submitted_at - r.start_time) / 15) = q.point)
         order by q.round_id, q.point limit 1
       ), changed as (
         update round_quotes q set prices = case when q.prices = q.lows then q.highs else q.lows end
         from chosen c where q.round_id = c.round_id and q.point = c.point returning q.round_id, q.point
       )
       select ${PREDICTION} as place, 'edge' as name, to_jsonb(s.edge_millionths / 1e6::float8) as published
       from changed c join predictions p on p.round_id = c.round_id
       join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id join agents a on a.id = p.agent_id`,
    ],
  },
  {
    name: 'two swapped places',
    statements: [
      'update scores set place = -place where round_id = 6 and place <= 2',
      `update scores s set place = 3 + place from predictions p, agents a where s.round_id = 6 and place < 0 and ${OF_PREDICTION}
       returning ${PREDICTION} as place, 'place' as name, to_jsonb(s.place) as published, to_jsonb(3 - s.place) as recomputed`,
    ],
  },
  {
    name: 'arena points given to the wrong agent',
    statements: [
      `update scores s set arena_points = 900 - arena_points from predictions p, agents a
       where s.round_id = 6 and place <= 2 and ${OF_PREDICTION}
       returning ${PREDICTION} as place, 'arena_points' as name, to_jsonb(s.arena_points) as published,
         to_jsonb(900 - s.arena_points) as recomputed`,
    ],
  },
  {
    name: 'a prediction that is no answer to the question',
    statements: [
      `update predictions p set prediction = 'MAYBE' where id = (select min(id) from predictions where round_id = 8)
       returning 'round 8, prediction ' || id as place, 'is_a_choice' as name, to_jsonb(false) as published,
         to_jsonb(true) as recomputed`,
    ],
  },
  {
    name: 'a prediction removed',
    statements: [
      'delete from scores where round_id = 8 and place = (select max(place) from scores where round_id = 8)',
      `with gone as (delete from predictions p where round_id = 8
         and not exists (select from scores s where s.round_id = 8 and s.agent_id = p.agent_id) returning 1)
       select 'round 8' as place, 'total_entries' as name, to_jsonb(total_entries) as published,
         to_jsonb(total_entries - 1) as recomputed from rounds, gone where id = 8`,
    ],
  },
  {
    name: 'a wrong candle in the evidence',
    statements: [
      `update candles c set high = (c.high::numeric + 1)::text from agreed_candles g
       where c.round_id = 9 and g.round_id = 9 and g.asset = c.asset and g.hour_start = c.hour_start
       returning 'round 9, agreed candle of ' || c.asset || ' at ' || ${HOUR} as place, 'high' as name,
         to_jsonb(trim_scale(g.high)::text) as published, to_jsonb(trim_scale(c.high::numeric)::text) as recomputed`,
    ],
  },
  {
    name: 'a wrong agreed candle',
    statements: [
      `update agreed_candles c set volume = volume + 1 where round_id = 9
       returning 'round 9, agreed candle of ' || c.asset || ' at ' || ${HOUR} as place, 'volume' as name,
         to_jsonb(trim_scale(c.volume)::text) as published, to_jsonb(trim_scale(c.volume - 1)::text) as recomputed`,
    ],
  },
  {
    name: 'a candle that no longer counts',
    statements: [
      `update candles c set counted = false, left_out = 'It came too late.' where round_id = 9
       returning 'round 9, agreed candles' as place, c.asset || ' at ' || ${HOUR} as name,
         to_jsonb('listed'::text) as published, to_jsonb('missing'::text) as recomputed`,
    ],
  },
  {
    name: 'a wrong price beside the round',
    statements: [
      `update round_assets c set close = close + 1 where round_id = 9
       returning 'round 9' as place, 'end_' || lower(c.asset) || '_price' as name,
         to_jsonb(c.close) as published, to_jsonb(c.close - 1) as recomputed`,
    ],
  },
  {
    name: 'a wrong outcome',
    statements: [
      changedRound(
        'outcome',
        `select choice from jsonb_array_elements_text(b.choices::jsonb) choice where choice <> b.outcome limit 1`,
        `status = 'resolved'`,
      ),
    ],
  },
  {
    name: 'another reason for a void round',
    statements: [changedRound('void_reason', `'tie'`, `status = 'void'`)],
  },
  {
    name: 'a score in a void round',
    statements: [
      `with p as (select p.* from predictions p join rounds r on r.id = p.round_id where r.status = 'void' order by p.id limit 1),
         s as (select s.* from scores s join p using (agent_id) order by s.round_id limit 1),
         added as (insert into scores
           select added.* from s, p, jsonb_populate_record(s::scores, jsonb_build_object('round_id', p.round_id)) added)
       select ${PREDICTION} as place, 'score' as name, to_jsonb(s.score) as published, null::jsonb as recomputed
       from s, p, agents a where a.id = p.agent_id`,
    ],
  },
  {
    name: 'another wording of the question',
    statements: [changedRound('question', `replace(b.question, 'UTC', 'GMT')`, 'id = 4')],
  },
];
