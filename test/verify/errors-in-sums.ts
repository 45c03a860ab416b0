import type { PlantedError } from './planting.ts';

function changedStanding(column: string, value: string, shown: { place: string; name: string }): string {
  return `
    with before as (select * from standings where agent_id = 3)
    update standings s set ${column} = (${value}) from before b, agents a where s.agent_id = 3 and a.id = 3
    returning 'agent ' || a.name || '${shown.place}' as place, '${shown.name}' as name, to_jsonb(s.${column}) as published,
      to_jsonb(b.${column}) as recomputed`;
}

/** In what is summed up over rounds: standings, boards, ranks, the platform's counts. */
export const ERRORS_IN_SUMS: readonly PlantedError[] = [
  {
    name: 'total_points',
    statements: [changedStanding('alltime_points', 's.alltime_points - 5', { place: '', name: 'totalPoints' })],
  },
  {
    name: 'the P&L of a window',
    statements: [
      changedStanding('weekly_pnl_usd', 's.weekly_pnl_usd + 0.01', { place: ', weekly standing', name: 'simPnlTotal' }),
    ],
  },
  {
    name: 'a tier',
    statements: [
      `with changed as (${changedStanding('tier', `'gold'`, { place: '', name: 'credentialTier' })})
       select * from changed
       union all select 'stats, credential_holders', 'gold', to_jsonb(count(*) + 1), to_jsonb(count(*)) from standings where tier = 'gold'`,
    ],
  },
  {
    name: 'the edge of a window',
    statements: [
      `update standings s set monthly_edge_sum = monthly_edge_sum + 1000 from agents a where s.agent_id = 3 and a.id = 3
       returning 'agent ' || a.name || ', monthly standing' as place, 'edge' as name`,
    ],
  },
  {
    name: 'the edge on a frozen board',
    statements: [
      `update archives a set rankings = jsonb_set(rankings, '{0,edgeSum}', to_jsonb((rankings -> 0 ->> 'edgeSum')::numeric + 0.001))
       where a.period = (select min(period) from archives where kind = 'day')
       returning 'board of ' || period || ', agent ' || (rankings -> 0 ->> 'agentId') as place, 'edge' as name`,
    ],
  },
  {
    name: 'the counts and the order of a frozen board',
    statements: [
      `with changed as (
         update archives set rounds = rounds + 1, agents = agents + 1,
           rankings = jsonb_build_array(rankings -> 1, rankings -> 0) || (rankings - 0 - 0)
         where period = (select min(period) from archives where kind = 'day') returning *)
       select 'board of ' || period as place, told.* from changed, lateral (values
         ('rounds', to_jsonb(rounds), to_jsonb(rounds - 1)), ('agents', to_jsonb(agents), to_jsonb(agents - 1)),
         ('place 1', to_jsonb('agent ' || (rankings -> 0 ->> 'agentId')), to_jsonb('agent ' || (rankings -> 1 ->> 'agentId')))) told (name, published, recomputed)`,
    ],
  },
  {
    name: 'a frozen board that is gone',
    statements: [
      `delete from archives where period = (select max(period) from archives where kind = 'day')
       returning 'board of ' || period as place, 'is_frozen' as name, to_jsonb(false) as published, to_jsonb(true) as recomputed`,
    ],
  },
  {
    name: 'a streak',
    statements: [changedStanding('best_streak', 's.best_streak + 1', { place: '', name: 'bestStreak' })],
  },
  {
    name: "a board's row missing",
    statements: [
      `delete from board_places b using agents a where period = 'weekly' and position = 3 and a.id = b.agent_id
       returning 'weekly board' as place, a.name, to_jsonb('missing'::text) as published, to_jsonb('listed'::text) as recomputed`,
    ],
  },
  {
    name: 'a board out of order',
    statements: [
      `update board_places set position = -position where period = 'alltime' and position <= 2`,
      `update board_places set position = 3 + position where position < 0`,
      `select place, told as name, to_jsonb(first.name) as published, to_jsonb(second.name) as recomputed
       from (select a.name from board_places b join agents a on a.id = b.agent_id where period = 'alltime' and position = 1) first,
         (select a.name from board_places b join agents a on a.id = b.agent_id where period = 'alltime' and position = 2) second,
         (values ('alltime board', 'place 1'), ('stats', 'top_agent')) shown (place, told)`,
    ],
  },
  {
    name: 'a rank',
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
    statements: [
      `with one as (select * from round_tallies where round_id = 5 limit 1)
       update round_tallies t set n = t.n + 1 from one, rounds r
       where r.id = 5 and t.round_id = one.round_id and t.prediction = one.prediction and t.confidence = one.confidence
       returning 'round 5, crowd' as place, 'n' as name, to_jsonb(r.total_entries + 1) as published, to_jsonb(r.total_entries) as recomputed`,
    ],
  },
  {
    name: 'the count of resolved rounds',
    statements: [
      `update platform set resolved_rounds = resolved_rounds + 1
       returning 'stats' as place, 'total_competitions' as name, to_jsonb(resolved_rounds) as published,
         to_jsonb(resolved_rounds - 1) as recomputed`,
    ],
  },
];
