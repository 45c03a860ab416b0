/** A wrong value that is written into the database behind the service's back. */
export interface PlantedError {
  readonly name: string;
  /** The tables that are written to. */
  readonly tables: readonly string[];
  /** Statements that plant it; the last one gives each difference that has to be found, or what is known of it. */
  readonly statements: readonly string[];
}

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

function changedStanding(column: string, value: string, shown: { place: string; name: string }): string {
  return `
    with before as (select * from standings where agent_id = 3)
    update standings s set ${column} = (${value}) from before b, agents a where s.agent_id = 3 and a.id = 3
    returning 'agent ' || a.name || '${shown.place}' as place, '${shown.name}' as name, to_jsonb(s.${column}) as published,
      to_jsonb(b.${column}) as recomputed`;
}

function changedRound(column: string, value: string, where: string): string {
  return `
    with before as (select * from rounds where ${where} order by id limit 1)
    update rounds r set ${column} = (${value}) from before b where r.id = b.id
    returning 'round ' || r.id as place, '${column}' as name, to_jsonb(r.${column}) as published, to_jsonb(b.${column}) as recomputed`;
}

export const PLANTED_ERRORS: readonly PlantedError[] = [
  {
    name: 'a changed score',
    tables: ['scores'],
    statements: [changedScore('score', 's.score + 50', 's.round_id = 5 and s.place = 2')],
  },
  {
    name: 'a changed streak bonus',
    tables: ['scores'],
    statements: [changedScore('streak_bonus', '25', 's.streak_bonus = 0 and s.is_correct')],
  },
  {
    name: 'the P&L of a prediction',
    tables: ['scores'],
    statements: [changedScore('pnl_usd', 's.pnl_usd + 0.01', 's.round_id = 7 and s.place = 1')],
  },
  {
    name: 'a high that falls within the hour',
    tables: ['round_quotes'],
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
    tables: ['scores'],
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
    tables: ['round_quotes'],
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
    tables: ['scores'],
    statements: [
      'update scores set place = -place where round_id = 6 and place <= 2',
      `update scores s set place = 3 + place from predictions p, agents a where s.round_id = 6 and place < 0 and ${OF_PREDICTION}
       returning ${PREDICTION} as place, 'place' as name, to_jsonb(s.place) as published, to_jsonb(3 - s.place) as recomputed`,
    ],
  },
  {
    name: 'arena points given to the wrong agent',
    tables: ['scores'],
    statements: [
      `update scores s set arena_points = 900 - arena_points from predictions p, agents a
       where s.round_id = 6 and place <= 2 and ${OF_PREDICTION}
       returning ${PREDICTION} as place, 'arena_points' as name, to_jsonb(s.arena_points) as published,
         to_jsonb(900 - s.arena_points) as recomputed`,
    ],
  },
  {
    name: 'a prediction removed',
    tables: ['scores', 'predictions'],
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
    tables: ['candles'],
    statements: [
      `update candles c set high = (c.high::numeric + 1)::text from agreed_candles g
       where c.round_id = 9 and g.round_id = 9 and g.asset = c.asset and g.hour_start = c.hour_start
       returning 'round 9, agreed candle of ' || c.asset || ' at ' || ${HOUR} as place, 'high' as name,
         to_jsonb(trim_scale(g.high)::text) as published, to_jsonb(trim_scale(c.high::numeric)::text) as recomputed`,
    ],
  },
  {
    name: 'a wrong agreed candle',
    tables: ['agreed_candles'],
    statements: [
      `update agreed_candles c set volume = volume + 1 where round_id = 9
       returning 'round 9, agreed candle of ' || c.asset || ' at ' || ${HOUR} as place, 'volume' as name,
         to_jsonb(trim_scale(c.volume)::text) as published, to_jsonb(trim_scale(c.volume - 1)::text) as recomputed`,
    ],
  },
  {
    name: 'a candle that no longer counts',
    tables: ['candles'],
    statements: [
      `update candles c set counted = false, left_out = 'It came too late.' where round_id = 9
       returning 'round 9, agreed candles' as place, c.asset || ' at ' || ${HOUR} as name,
         to_jsonb('listed'::text) as published, to_jsonb('missing'::text) as recomputed`,
    ],
  },
  {
    name: 'a wrong price beside the round',
    tables: ['round_assets'],
    statements: [
      `update round_assets c set close = close + 1 where round_id = 9
       returning 'round 9' as place, 'end_' || lower(c.asset) || '_price' as name,
         to_jsonb(c.close) as published, to_jsonb(c.close - 1) as recomputed`,
    ],
  },
  {
    name: 'a wrong outcome',
    tables: ['rounds'],
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
    tables: ['rounds'],
    statements: [changedRound('void_reason', `'tie'`, `status = 'void'`)],
  },
  {
    name: 'another wording of the question',
    tables: ['rounds'],
    statements: [changedRound('question', `replace(b.question, 'UTC', 'GMT')`, 'id = 4')],
  },
  {
    name: 'total_points',
    tables: ['standings'],
    statements: [changedStanding('alltime_points', 's.alltime_points - 5', { place: '', name: 'totalPoints' })],
  },
  {
    name: 'the P&L of a window',
    tables: ['standings'],
    statements: [
      changedStanding('weekly_pnl_usd', 's.weekly_pnl_usd + 0.01', { place: ', weekly standing', name: 'simPnlTotal' }),
    ],
  },
  {
    name: 'a tier',
    tables: ['standings'],
    statements: [changedStanding('tier', `'gold'`, { place: '', name: 'credentialTier' })],
  },
  {
    name: 'the edge of a window',
    tables: ['standings'],
    statements: [
      `update standings s set monthly_edge_sum = monthly_edge_sum + 1000 from agents a where s.agent_id = 3 and a.id = 3
       returning 'agent ' || a.name || ', monthly standing' as place, 'edge' as name`,
    ],
  },
  {
    name: 'the edge on a frozen board',
    tables: ['archives'],
    statements: [
      `update archives a set rankings = jsonb_set(rankings, '{0,edgeSum}', to_jsonb((rankings -> 0 ->> 'edgeSum')::numeric + 0.001))
       where a.period = (select min(period) from archives where kind = 'day')
       returning 'board of ' || period || ', agent ' || (rankings -> 0 ->> 'agentId') as place, 'edge' as name`,
    ],
  },
  {
    name: 'a frozen board that is gone',
    tables: ['archives'],
    statements: [
      `delete from archives where period = (select max(period) from archives where kind = 'day')
       returning 'board of ' || period as place, 'is_frozen' as name, to_jsonb(false) as published, to_jsonb(true) as recomputed`,
    ],
  },
  {
    name: 'a streak',
    tables: ['standings'],
    statements: [changedStanding('best_streak', 's.best_streak + 1', { place: '', name: 'bestStreak' })],
  },
  {
    name: "a board's row missing",
    tables: ['board_places'],
    statements: [
      `delete from board_places b using agents a where period = 'weekly' and position = 3 and a.id = b.agent_id
       returning 'weekly board' as place, a.name, to_jsonb('missing'::text) as published, to_jsonb('listed'::text) as recomputed`,
    ],
  },
  {
    name: 'a board out of order',
    tables: ['board_places'],
    statements: [
      `update board_places set position = -position where period = 'daily' and position <= 2`,
      `update board_places set position = 3 + position where position < 0`,
      `select 'daily board' as place, 'place 1' as name, to_jsonb(first.name) as published, to_jsonb(second.name) as recomputed
       from (select a.name from board_places b join agents a on a.id = b.agent_id where period = 'daily' and position = 1) first,
         (select a.name from board_places b join agents a on a.id = b.agent_id where period = 'daily' and position = 2) second`,
    ],
  },
  {
    name: 'a rank',
    tables: ['board_counts'],
    statements: [
      `with standing as (
         select s.monthly_points as points, a.name,
           1 + (select count(*) from standings o where o.monthly_competitions > 0 and o.monthly_points > s.monthly_points) as rank
         from standings s join agents a on a.id = s.agent_id where s.agent_id = 3
       ), counted as (
         insert into board_counts select 'monthly', 0, points + 1, 1 from standing where (points + 1) >> 6 = points >> 6
         on conflict (period, bits, bucket) do update set agents = board_counts.agents + 1 returning 1
       )
       select 'agent ' || name || ', monthly standing' as place, 'rank' as name, to_jsonb(rank + 1) as published,
         to_jsonb(rank) as recomputed
       from standing, counted`,
    ],
  },
  {
    name: "the crowd's count",
    tables: ['round_tallies'],
    statements: [
      `with one as (select * from round_tallies where round_id = 5 limit 1)
       update round_tallies t set n = t.n + 1 from one, rounds r
       where r.id = 5 and t.round_id = one.round_id and t.prediction = one.prediction and t.confidence = one.confidence
       returning 'round 5, crowd' as place, 'n' as name, to_jsonb(r.total_entries + 1) as published, to_jsonb(r.total_entries) as recomputed`,
    ],
  },
  {
    name: 'the count of resolved rounds',
    tables: ['platform'],
    statements: [
      `update platform set resolved_rounds = resolved_rounds + 1
       returning 'stats' as place, 'total_competitions' as name, to_jsonb(resolved_rounds) as published,
         to_jsonb(resolved_rounds - 1) as recomputed`,
    ],
  },
];
