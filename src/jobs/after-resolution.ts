import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { MINUTE_OF_PREDICTION } from '../reads/crowd.ts';
import { orderBoards } from './order-boards.ts';
import { planned } from './planning.ts';
import { EVERY_DAY, NO_DIMENSION } from '../entities/daily-tally.ts';
import { FIGURES, leadBucket, SUMS } from '../reads/breakdowns.ts';
import { ARCHIVED_PLACES } from '../entities/archive.ts';
import { ARCHIVE_KINDS, type ArchivePeriod, periodOf } from '../rules/windows.ts';

interface AfterResolutionDeps {
  readonly newEm: () => SqlEntityManager;
  /** Asked between rounds and between periods: true ends the work where it is, and the next call goes on. */
  readonly isStopped?: () => boolean;
}

/**
 * What follows from decided rounds and need not be done while they are decided: counts the crowd by minutes and the field
 * by days, freezes the boards of periods that are complete, and makes the boards in every order with their rank
 * intervals. What is to be done stands in the database, so it is safe
 * to run twice and at once, and what was left undone is made up for.
 */
export async function afterResolution(
  { newEm, isStopped = () => false }: AfterResolutionDeps,
  now: Date,
): Promise<void> {
  for (const round of await uncounted(newEm())) {
    if (isStopped()) return;
    await newEm().transactional((transaction) => countRound(transaction, round, now));
  }
  for (const period of await periodsToFreeze(newEm(), now)) {
    if (isStopped()) return;
    await freezePeriod(newEm(), period, now);
  }
  await orderBoards({ newEm, isStopped });
}

interface Uncounted {
  readonly id: number;
}

async function uncounted(em: SqlEntityManager): Promise<readonly Uncounted[]> {
  const { rows } = await sql<Uncounted>`
    select id from rounds
    where counted_at is null and status in ('resolved', 'void') order by id`.execute(em.getKysely());
  return rows;
}

/** Counts a round once: whoever marks it first counts it, and others find it marked. */
async function countRound(transaction: SqlEntityManager, { id }: Uncounted, now: Date): Promise<void> {
  const { rows } = await sql<{ status: string }>`
    update rounds set counted_at = ${now} where id = ${id} and counted_at is null returning status`.execute(
    transaction.getKysely(),
  );
  const [marked] = rows;
  if (marked === undefined) return;
  await countMinutes(transaction, id);
  // Joined whole: the planner does not know yet how many predictions the round has.
  if (marked.status === 'resolved') await planned(transaction, 'whole', () => tallyDay(transaction, id));
}

async function countMinutes(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await sql`
    insert into crowd_minutes (round_id, minute, prediction, n)
    select p.round_id, ${MINUTE_OF_PREDICTION}, p.prediction, count(*)
    from predictions p join rounds r on r.id = p.round_id where p.round_id = ${roundId}
    group by 1, 2, 3`.execute(transaction.getKysely());
}

const SUM_NAMES = Object.keys(SUMS);

/**
 * Adds a resolved round's predictions to the tallies of its day, and to those of every day: once by each property, and once
 * by each two of them. The predictions are read once, into a cell for each lead time and answer.
 */
async function tallyDay(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await sql`
    with cells as materialized (
      select f.lead, f.answer, ${sumsOf(SUMS)}
      from (
        select ${leadBucket(sql`r.end_time - p.submitted_at`)} as lead, p.prediction as answer, ${FIGURES}
        from scores s
        join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id
        join rounds r on r.id = s.round_id
        where s.round_id = ${roundId}
        -- Each figure is worked out once, not in every sum that it is in.
        offset 0
      ) f
      group by 1, 2
    ), shared(dimension, value) as (
      select v.* from rounds r cross join lateral (values
        ('QUESTION_TYPE', r.question_type),
        ('HOUR_OF_DAY', to_char(r.start_time at time zone 'UTC', 'HH24')),
        ('WEEKDAY', to_char(r.start_time at time zone 'UTC', 'ID'))
      ) v where r.id = ${roundId}
      union all select 'ASSET', asset from round_assets where round_id = ${roundId}
    ), valued as (
      select c.*, v.dimension, v.value from cells c cross join lateral (
        select * from shared union all values ('LEAD_TIME', c.lead), ('ANSWER', c.answer)
      ) v
    ), grouped as (
      select one.dimension as first_dimension, coalesce(other.dimension, ${NO_DIMENSION}) as second_dimension,
        one.value as first_value, coalesce(other.value, '') as second_value, ${eachSum((name) => sql`sum(one.${sql.ref(name)}) as ${sql.ref(name)}`)}
      from valued one
      join (select lead, answer, dimension, value from valued union all select lead, answer, null, null from cells) other
        on other.lead = one.lead and other.answer = one.answer
          and (other.dimension > one.dimension or other.dimension is null)
      group by 1, 2, 3, 4
    )
    insert into daily_tallies as t (first_dimension, second_dimension, day, first_value, second_value, ${eachSum((name) => sql.ref(name))})
    select first_dimension, second_dimension, d.day, first_value, second_value, ${eachSum((name) => sql.ref(name))}
    from grouped cross join (
      select ${EVERY_DAY}::int as day
      union all select floor(extract(epoch from start_time) / 86400)::int from rounds where id = ${roundId}
    ) d
    order by 1, 2, 3, 4, 5
    on conflict (first_dimension, second_dimension, day, first_value, second_value)
      do update set ${eachSum((name) => sql`${sql.ref(name)} = t.${sql.ref(name)} + excluded.${sql.ref(name)}`)}`.execute(
    transaction.getKysely(),
  );
}

function sumsOf(sums: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<unknown> {
  return sql.join(Object.entries(sums).map(([name, sum]) => sql`${sum} as ${sql.ref(name)}`));
}

function eachSum(of: (name: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(SUM_NAMES.map(of));
}

/**
 * The finished periods that have a resolved round and no archive yet, the oldest first: they ended by `now`, and no round
 * of theirs waits for its outcome.
 */
async function periodsToFreeze(em: SqlEntityManager, now: Date): Promise<readonly ArchivePeriod[]> {
  const { rows: days } = await sql<{ day: Date; waits: boolean; has: boolean }>`
    select date_trunc('day', start_time, 'UTC') as day, bool_or(status = 'resolved') as has,
      bool_or(status in ('upcoming', 'active', 'resolving')) as waits
    from rounds group by 1 order by 1`.execute(em.getKysely());
  const { rows: frozen } = await sql<{ period: string }>`select period from archives`.execute(em.getKysely());
  const known = new Set(frozen.map(({ period }) => period));
  return ARCHIVE_KINDS.flatMap((kind) => {
    const byName = Map.groupBy(days, ({ day }) => periodOf(kind, day).name);
    return [...byName.values()].flatMap((daysOf) => {
      const [first] = daysOf;
      const period = first && periodOf(kind, first.day);
      const isDone = daysOf.some(({ has }) => has) && !daysOf.some(({ waits }) => waits);
      return period && isDone && period.end <= now && !known.has(period.name) ? [period] : [];
    });
  });
}

/**
 * Writes a period's board as its scores give it, in one row; does nothing where that stands already. The order is the
 * board's (reads/board.ts): by points, then wins, then lower id; equal points share a rank.
 */
async function freezePeriod(em: SqlEntityManager, period: ArchivePeriod, now: Date): Promise<void> {
  await em.transactional((transaction) => planned(transaction, 'whole', () => insertArchive(transaction, period, now)));
}

/** By its bounds, too: an index finds these, whatever else there is to join. */
const OF_PERIOD = sql`s.round_id in (select id from of_period)
  and s.round_id >= (select min(id) from of_period) and s.round_id <= (select max(id) from of_period)`;

async function insertArchive(
  transaction: SqlEntityManager,
  { name, kind, start, end }: ArchivePeriod,
  now: Date,
): Promise<void> {
  await sql`
    with of_period as materialized (
      select id from rounds where status = 'resolved' and start_time >= ${start} and start_time < ${end}
    ), sums as materialized (
      select s.agent_id, sum(s.score + s.streak_bonus) as points, sum(s.arena_points) as arena_points,
        count(*) filter (where s.is_correct) as wins, count(*) as competitions, sum(s.pnl_usd) as pnl_usd,
        sum(s.brier) as brier_sum, sum(s.reference_brier) as reference_brier_sum, count(s.edge_millionths) as edge_n,
        coalesce(sum(s.edge_millionths) * 0.000001, 0) as edge_sum,
        coalesce(sum(s.edge_millionths::numeric * s.edge_millionths) * 0.000000000001, 0) as edge_squares
      from scores s where ${OF_PERIOD} group by s.agent_id
    ), places as (
      select *, rank() over (order by points desc) as rank,
        row_number() over (order by points desc, wins desc, agent_id) as position
      from sums order by position limit ${ARCHIVED_PLACES}
    ), answers as (
      select s.agent_id, s.is_correct, row_number() over of_agent
        - row_number() over (partition by s.agent_id, s.is_correct order by s.round_id) as run
      from scores s
      where ${OF_PERIOD} and s.agent_id in (select agent_id from places)
      window of_agent as (partition by s.agent_id order by s.round_id)
    ), streaks as (
      select agent_id, max(length) as best
      from (select agent_id, count(*) as length from answers where is_correct group by agent_id, run) runs group by agent_id
    )
    insert into archives (period, kind, start_time, end_time, rounds, agents, rankings, frozen_at)
    select ${name}, ${kind}, ${start}, ${end}, (select count(*) from of_period), (select count(*) from sums),
      coalesce(jsonb_agg(jsonb_build_object('rank', p.rank, 'agentId', p.agent_id, 'points', p.points,
        'arenaPoints', p.arena_points, 'wins', p.wins, 'competitions', p.competitions, 'pnlUsd', p.pnl_usd::text,
        'bestStreak', coalesce(t.best, 0), 'brierSum', p.brier_sum::text,
        'referenceBrierSum', p.reference_brier_sum::text, 'edgeN', p.edge_n, 'edgeSum', p.edge_sum::text,
        'edgeSquares', p.edge_squares::text) order by p.position), '[]'), ${now}
    from places p left join streaks t on t.agent_id = p.agent_id
    on conflict (period) do nothing`.execute(transaction.getKysely());
}
