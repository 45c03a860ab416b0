/** How far each window reaches back from the newest resolved round's end. */
const WINDOWS = { daily: '1 day', weekly: '7 days', monthly: '30 days', alltime: '1000 years' };

/** What a window adds up over its scores `s`. */
const SUMS = {
  points: 's.score + s.streak_bonus',
  arena_points: 's.arena_points',
  wins: 's.is_correct::int',
  competitions: '1',
  pnl_usd: 's.pnl_usd',
  brier_sum: 's.brier',
  reference_brier_sum: 's.reference_brier',
};

/** A statement that answers `who`, `stored` and `expected` for whatever breaks the fact. */
export interface Fact {
  readonly fact: string;
  readonly sql: string;
}

const LAST_PLACE = 100;

/** The scores of a window, as `s`. */
const inWindow = (length: string) => `
  scores s join rounds r on r.id = s.round_id and r.status = 'resolved'
    and r.end_time > (select max(end_time) from rounds where status = 'resolved') - interval '${length}'`;

/** A figure of the platform's one row, and what it counts. */
const platformFact = (column: string, counted: string): Fact => ({
  fact: `platform.${column}`,
  sql: `select 'the platform' as who, ${column}::text as stored, c::text as expected
    from platform, (select ${counted}) as counted(c) where ${column} is distinct from c`,
});

/** How often an event of the kind tells of each round that is in one of the states: once, unless it may be forgotten. */
const eventFact = (kind: string, states: string): Fact => ({
  fact: `number of ${kind} events`,
  sql: `select 'round ' || r.id || ' (' || r.status || ')' as who, count(e.seq)::text as stored,
      (r.status in (${states}))::int::text as expected
    from rounds r left join events e on e.round_id = r.id and e.kind = '${kind}'
    where (select min(seq) from events) = 1 or r.start_time > (select min(at) from events) + interval '1 hour'
    group by r.id having count(e.seq) <> (r.status in (${states}))::int`,
});

const standingFacts = Object.entries(WINDOWS).flatMap(([window, length]) =>
  Object.entries(SUMS).map(([sum, of]): Fact => {
    const column = `${window}_${sum}`;
    return {
      fact: `standings.${column}`,
      sql: `select 'agent ' || coalesce(t.agent_id, c.agent_id) as who, t.${column}::text as stored, c.total::text as expected
        from standings t full join (select s.agent_id, sum(${of}) as total from ${inWindow(length)} group by 1) c
          on c.agent_id = t.agent_id
        where (t.${column} <> coalesce(c.total, 0)) is not false`,
    };
  }),
);

const boardFacts = Object.keys(WINDOWS).flatMap((window): Fact[] => {
  const places = `select agent_id, ${window}_points as points,
      row_number() over (order by ${window}_points desc, ${window}_wins desc, agent_id) as position,
      rank() over (order by ${window}_points desc) as rank
    from standings where ${window}_competitions > 0`;
  return [
    {
      fact: `agent and rank on the ${window} board`,
      sql: `select 'position ' || coalesce(b.position, c.position) as who, b.agent_id || ' with ' || b.rank as stored,
          c.agent_id || ' with ' || c.rank as expected
        from (select * from board_places where period = '${window}' and position <= ${LAST_PLACE}) b
          full join (select * from (${places}) p where position <= ${LAST_PLACE}) c on c.position = b.position
        where (b.agent_id = c.agent_id and b.rank = c.rank) is not true`,
    },
    {
      fact: `rank in the ${window} window`,
      sql: `select coalesce(b.points, c.points) || ' points' as who, b.rank::text as stored, c.rank::text as expected
        from (
          select bucket as points, 1 + sum(agents) over (order by bucket desc) - agents as rank from board_counts
          where period = '${window}' and bits = 0 and agents > 0
        ) b
          full join (select distinct points, rank from (${places}) p) c on c.points = b.points
        where (b.rank = c.rank) is not true`,
    },
  ];
});

const tallyFacts = Object.entries(WINDOWS).map(([window, length]): Fact => ({
  fact: `field_tallies.${window}_n over all assets`,
  sql: `select coalesce(f.question_type || f.choice_count, c.type || c.k) || ' at ' || coalesce(f.confidence, c.confidence)
          || ' ' || coalesce(f.is_correct, c.is_correct) as who, f.${window}_n::text as stored, c.n::text as expected
      from (select * from field_tallies where asset = '*') f full join (
        select r.question_type as type, jsonb_array_length(r.choices) as k, p.confidence, s.is_correct, count(*) as n
        from ${inWindow(length)} join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id group by 1, 2, 3, 4
      ) c on c.type = f.question_type and c.k = f.choice_count and c.confidence = f.confidence and c.is_correct = f.is_correct
      where (f.${window}_n <> coalesce(c.n, 0)) is not false`,
}));

/** A rank is a sum of counts of several widths: each wide one is the sum of the exact ones within it. */
const countFact: Fact = {
  fact: 'agents counted by points',
  sql: `select w.period || ' bucket ' || w.bucket || ' of ' || (1 << w.bits) as who, w.agents::text as stored, e.agents::text as expected
    from board_counts w cross join lateral (
      select coalesce(sum(agents), 0) as agents from board_counts
      where period = w.period and bits = 0 and bucket >> w.bits = w.bucket
    ) e where w.agents <> e.agents`,
};

/** What must hold in the database at every moment between two transactions. Written from the specification alone. */
export const FACTS: readonly Fact[] = [
  {
    fact: 'total_entries, confidence_sum',
    sql: `select 'round ' || r.id as who, r.total_entries || ', ' || r.confidence_sum as stored,
        count(p.id) || ', ' || coalesce(sum(p.confidence), 0) as expected
      from rounds r left join predictions p on p.round_id = r.id
      group by r.id having r.total_entries <> count(p.id) or r.confidence_sum <> coalesce(sum(p.confidence), 0)`,
  },
  {
    fact: 'number of scores',
    sql: `select 'round ' || r.id || ' (' || r.status || ')' as who, count(s.agent_id)::text as stored,
        (case when r.status = 'resolved' then count(p.id) else 0 end)::text as expected
      from rounds r left join predictions p on p.round_id = r.id
        left join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id
      group by r.id having count(s.agent_id) <> case when r.status = 'resolved' then count(p.id) else 0 end`,
  },
  {
    fact: 'Brier score, reference',
    sql: `select 'agent ' || s.agent_id || ' in round ' || s.round_id as who, s.brier || ', ' || s.reference_brier as stored,
        round((p.confidence / 100.0 - s.is_correct::int) ^ 2, 4) || ', '
          || round((1.0 / jsonb_array_length(r.choices) - s.is_correct::int) ^ 2, 6) as expected
      from scores s join predictions p using (round_id, agent_id) join rounds r on r.id = s.round_id
      where s.brier <> round((p.confidence / 100.0 - s.is_correct::int) ^ 2, 4)
        or s.reference_brier <> round((1.0 / jsonb_array_length(r.choices) - s.is_correct::int) ^ 2, 6)`,
  },
  {
    fact: 'round_tallies.n',
    sql: `select 'round ' || coalesce(t.round_id, c.round_id) || ': ' || coalesce(t.prediction, c.prediction) || ' at '
        || coalesce(t.confidence, c.confidence) as who, t.n::text as stored, c.n::text as expected
      from round_tallies t full join (
        select p.round_id, p.prediction, p.confidence, count(*) as n
        from predictions p join rounds r on r.id = p.round_id and r.status in ('resolved', 'void') group by 1, 2, 3
      ) c on c.round_id = t.round_id and c.prediction = t.prediction and c.confidence = t.confidence
      where (t.n = c.n) is not true`,
  },
  platformFact('resolved_rounds', `count(*) from rounds where status = 'resolved'`),
  platformFact('newest_resolved_end', `max(end_time) from rounds where status = 'resolved'`),
  platformFact(
    'decided_predictions',
    `count(*) from predictions p join rounds r on r.id = p.round_id where r.status in ('resolved', 'void')`,
  ),
  platformFact(
    'decided_confidence_sum',
    `coalesce(sum(p.confidence), 0) from predictions p join rounds r on r.id = p.round_id where r.status in ('resolved', 'void')`,
  ),
  platformFact('last_seq', 'coalesce(max(seq), 0) from events'),
  {
    fact: 'the seq after each seq',
    sql: `select 'event ' || seq as who, following::text as stored, (seq + 1)::text as expected
      from (select seq, lead(seq) over (order by seq) as following from events) e where following <> seq + 1`,
  },
  {
    fact: 'the oldest event, while none is 30 days old',
    sql: `select 'the log' as who, min(e.seq)::text as stored, '1' as expected
      from events e cross join platform p
      group by p.created_at having min(e.seq) > 1 and max(e.at) < p.created_at + interval '30 days'`,
  },
  {
    // What has no prices, or an operator ends, is passed over: neither happens to those who are judged here.
    fact: 'the order of decisions, which is that of the hours',
    sql: `select 'round ' || id as who, 'decided after round ' || newest as stored, 'decided before it' as expected
      from (select r.id, max(r.id) over (order by e.seq rows between unbounded preceding and 1 preceding) as newest
        from rounds r join events e on e.round_id = r.id and e.kind in ('ROUND_RESOLVED', 'ROUND_VOID')) d
      where newest > id`,
  },
  eventFact('ROUND_STORED', `'upcoming', 'active', 'resolving', 'resolved', 'void'`),
  eventFact('ROUND_OPENED', `'active', 'resolving', 'resolved', 'void'`),
  eventFact('ROUND_CLOSED', `'resolving', 'resolved', 'void'`),
  eventFact('ROUND_RESOLVED', `'resolved'`),
  eventFact('LEADERBOARD_CHANGED', `'resolved'`),
  eventFact('ROUND_VOID', `'void'`),
  ...standingFacts,
  ...boardFacts,
  ...tallyFacts,
  countFact,
];
