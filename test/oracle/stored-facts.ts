import type { Ask } from '../support/snapshot.ts';

/** How far each window reaches back from the newest resolved round's end. */
const WINDOWS = { daily: '1 day', weekly: '7 days', monthly: '30 days', alltime: '1000 years' };

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

const boardFacts = Object.keys(WINDOWS).map((window): Fact => {
  const places = `select agent_id, ${window}_points as points,
      row_number() over (order by ${window}_points desc, ${window}_wins desc, agent_id) as position,
      rank() over (order by ${window}_points desc) as rank
    from standings where ${window}_competitions > 0`;
  return {
    fact: `agent and rank on the ${window} board`,
    sql: `select 'position ' || coalesce(b.position, c.position) as who, b.agent_id || ' with ' || b.rank as stored,
        c.agent_id || ' with ' || c.rank as expected
      from (select * from board_places where period = '${window}' and position <= ${LAST_PLACE}) b
        full join (select * from (${places}) p where position <= ${LAST_PLACE}) c on c.position = b.position
      where (b.agent_id = c.agent_id and b.rank = c.rank) is not true`,
  };
});

/** A rank is a sum of counts of several widths: each holds the agents of a window whose points lie within it. */
const countFact: Fact = {
  fact: 'agents counted by points',
  sql: `select period || ' bucket ' || bucket || ' of ' || (1 << bits) as who, b.agents::text as stored, c.agents::text as expected
    from (select * from board_counts where agents > 0) b full join (
      select period, bits, floor(points / 2.0 ^ bits)::int as bucket, count(*) as agents from (${Object.keys(WINDOWS)
        .map((p) => `select '${p}' as period, ${p}_points as points from standings where ${p}_competitions > 0`)
        .join(' union all ')}) s, unnest(array[0, 6, 12]) as bits group by 1, 2, 3
    ) c using (period, bits, bucket) where (b.agents = c.agents) is not true`,
};

/** The first places of each window and everybody's rank, as standings have them. */
export const BOARD_FACTS: readonly Fact[] = [...boardFacts, countFact];

/** Scored predictions by what they were about, and over all of it. */
export const TALLY_FACTS = Object.entries(WINDOWS).map(([window, length]): Fact => ({
  fact: `field_tallies.${window}_n`,
  sql: `select asset || ' ' || question_type || choice_count || ' at ' || confidence || ' ' || is_correct as who,
        f.${window}_n::text as stored, c.n::text as expected
      from field_tallies f full join (
        select a.asset, r.question_type, jsonb_array_length(r.choices) as choice_count, p.confidence, s.is_correct, count(*) as n
        from ${inWindow(length)} join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id
          cross join lateral (select '*' as asset union all select asset from round_assets where round_id = r.id) a
        group by 1, 2, 3, 4, 5
      ) c using (asset, question_type, choice_count, confidence, is_correct)
      where (f.${window}_n <> coalesce(c.n, 0)) is not false`,
}));

/** What the platform's one row counts. */
export const PLATFORM_FACTS: readonly Fact[] = [
  platformFact('resolved_rounds', `count(*) from rounds where status = 'resolved'`),
  platformFact('newest_resolved_end', `max(end_time) from rounds where status = 'resolved'`),
  platformFact(
    'boards_updated_at',
    `coalesce(max(decided_at), (select created_at from platform)) from rounds where status = 'resolved'`,
  ),
  platformFact(
    'decided_predictions',
    `count(*) from predictions p join rounds r on r.id = p.round_id where r.status in ('resolved', 'void')`,
  ),
  platformFact(
    'decided_confidence_sum',
    `coalesce(sum(p.confidence), 0) from predictions p join rounds r on r.id = p.round_id where r.status in ('resolved', 'void')`,
  ),
  platformFact('last_seq', 'coalesce(max(seq), 0) from events'),
];

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
    fact: 'round_tallies.n',
    sql: `select 'round ' || coalesce(t.round_id, c.round_id) || ': ' || coalesce(t.prediction, c.prediction) || ' at '
        || coalesce(t.confidence, c.confidence) as who, t.n::text as stored, c.n::text as expected
      from round_tallies t full join (
        select p.round_id, p.prediction, p.confidence, count(*) as n
        from predictions p join rounds r on r.id = p.round_id and r.status in ('resolved', 'void') group by 1, 2, 3
      ) c on c.round_id = t.round_id and c.prediction = t.prediction and c.confidence = t.confidence
      where (t.n = c.n) is not true`,
  },
  ...PLATFORM_FACTS,
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
  ...BOARD_FACTS,
  ...TALLY_FACTS,
];

/** Whatever breaks one of the facts, in words. */
export async function factDifferences(ask: Ask, facts: readonly Fact[] = FACTS): Promise<string[]> {
  const wrong: string[] = [];
  for (const { fact, sql } of facts) {
    const rows = await ask<{ who: string; stored: string | null; expected: string | null }>(sql);
    wrong.push(...rows.map(({ who, stored, expected }) => `${fact} of ${who}: stored ${stored}, expected ${expected}`));
  }
  return wrong;
}
