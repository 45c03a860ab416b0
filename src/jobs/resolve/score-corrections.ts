import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Round } from '../../entities/round.ts';
import { SCORE_FIGURES, SCORES } from '../../reads/scores.ts';
import { rows } from '../../reads/sql.ts';
import { SCORE_COLUMNS, scoresOf, type ScoredBy, streakBonusOf } from './score-statements.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { streaksIn } from '../ledger/standing-statements.ts';

/** What an amendment changes; the tables are the transaction's own. */
export interface Corrections {
  /** The rounds whose scores change, the amended one among them. */
  readonly rounds: readonly number[];
  /** Whether the amended round has its first scores now. */
  readonly isFirst: boolean;
}

/** Scores as they are to be, with `counted`. */
const CHANGED = sql`amended_scores`;

/** From the amended round on, and of each agent's last one: how many answers in a row were right, and at best until then. */
const STREAKS = sql`amended_streaks`;

/** What the agents of the amended round come to with it. */
export const AMENDED_STREAKS = sql`(
  select p.agent_id, coalesce(t.streak, 0) as current, coalesce(t.best, 0) as best
  from amended_predictors p left join ${STREAKS} t on t.agent_id = p.agent_id and t.is_last)`;

const FIGURES = sql.join(SCORE_FIGURES.map((name) => sql.ref(name)));

/** What the streak `t` pays, and the figures of a score `s` with it. */
const BONUS = streakBonusOf(sql`t.streak`);
const WITH_BONUS = sql.join(
  SCORE_FIGURES.map((name) => (name === 'streak_bonus' ? sql`${BONUS} as streak_bonus` : sql.ref(`s.${name}`))),
);

/**
 * Works out the scores that change where a round is scored by another answer, or (null) has none any more: its own, and later ones of
 * its agents whose streaks pay something else then. Streaks follow the order of the first decisions, in which the round keeps its
 * place: all that its agents have answered is read, once.
 */
export async function workOutCorrections(
  transaction: SqlEntityManager,
  round: Round & { readonly decidedAt: Date },
  by: ScoredBy | null,
): Promise<Corrections> {
  const { id, decidedAt } = round;
  const own =
    by === null
      ? sql`select ${SCORE_COLUMNS} from scores where false`
      : scoresOf(round, by, { before: sql`0`, from: sql`` });
  const inOrder = sql`partition by agent_id order by decided_at, round_id`;
  await rows(transaction)`
    create temp table amended_predictors on commit drop as select agent_id from predictions where round_id = ${id}`;
  await rows(transaction)`create temp table amended_own on commit drop as ${own}`;
  await withPlannerHint(transaction, 'hashJoins', async () => {
    await rows(transaction)`
      create temp table ${STREAKS} on commit drop as
      select * from (
        select *, max(streak) over (${inOrder}) as best, lead(round_id) over (${inOrder}) is null as is_last
        from (${streaksIn(sql`(
          select s.agent_id, s.round_id, s.is_correct, r.decided_at from ${SCORES} s join rounds r on r.id = s.round_id
          where s.agent_id in (select agent_id from amended_predictors) and s.round_id <> ${id}
          union all select agent_id, round_id, is_correct, ${decidedAt}::timestamptz from amended_own) a`)}) s
      ) one where is_last or (decided_at, round_id) >= (${decidedAt}::timestamptz, ${id}::int)`;
    await rows(transaction)`
      create temp table ${CHANGED} on commit drop as
      select s.round_id, s.agent_id, s.confidence, s.standing, true as counted, ${WITH_BONUS}
      from amended_own s join ${STREAKS} t on t.round_id = s.round_id and t.agent_id = s.agent_id
      union all
      select s.round_id, s.agent_id, s.confidence, s.standing, true, ${WITH_BONUS}
      from ${SCORES} s join ${STREAKS} t on t.round_id = s.round_id and t.agent_id = s.agent_id
      where s.round_id <> ${id} and (t.decided_at, t.round_id) > (${decidedAt}::timestamptz, ${id}::int)
        and s.streak_bonus <> ${BONUS}
      union all
      select s.round_id, s.agent_id, s.confidence, s.standing, false, ${FIGURES}
      from ${SCORES} s where s.round_id = ${id} and ${by === null}`;
  });
  const found = await rows<{ id: number }>(transaction)`
    select distinct round_id as id from ${CHANGED} where round_id <> ${id} order by 1`;
  const scored = await rows(transaction)`select from scores where round_id = ${id} limit 1`;
  return { rounds: [id, ...found.map((one) => one.id)], isFirst: scored.length === 0 };
}

/** By how much a figure of the new score `n` is more than that of the old one `o`; no score counts as 0. */
function difference(name: (typeof SCORE_FIGURES)[number]): RawBuilder<unknown> {
  const [now, before] = ['n', 'o'].map((alias) => {
    const figure = sql.ref(`${alias}.${name}`);
    return name === 'is_correct' ? sql`${figure}::int` : figure;
  });
  return sql`case when n.counted then coalesce(${now}, 0) else 0 end - coalesce(${before}, 0)`;
}

/** Writes the corrections, and what scores come to with them; what a round is first scored by are scores themselves. */
export async function correctScores(
  transaction: SqlEntityManager,
  { isFirst }: Corrections,
  { roundId, amendmentId }: { readonly roundId: number; readonly amendmentId: number },
): Promise<void> {
  const isOwnFirst = sql`${isFirst} and n.round_id = ${roundId}`;
  const written = sql.join(SCORE_FIGURES.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`));
  await rows(transaction)`
    with first as (
      insert into scores (${SCORE_COLUMNS}) select ${SCORE_COLUMNS} from ${CHANGED} n where ${isOwnFirst} order by agent_id
    ),
    corrections as (
      insert into score_corrections (amendment_id, round_id, agent_id, counted, ${FIGURES})
      select ${amendmentId}::int, n.round_id, n.agent_id, n.counted::int - (o.agent_id is not null)::int,
        ${sql.join(SCORE_FIGURES.map(difference))}
      from ${CHANGED} n left join ${SCORES} o on o.round_id = n.round_id and o.agent_id = n.agent_id where not (${isOwnFirst})
    )
    insert into corrected_scores (round_id, agent_id, counted, ${FIGURES})
    select n.round_id, n.agent_id, n.counted, ${sql.join(SCORE_FIGURES.map((name) => sql.ref(`n.${name}`)))}
    from ${CHANGED} n where not (${isOwnFirst})
    on conflict (round_id, agent_id) do update set counted = excluded.counted, ${written}`;
}

/** Whose points or place over all time have changed. */
export interface Move {
  readonly agent: string;
  readonly points: number;
  readonly points_before: number;
  /** Null: on no board. */
  readonly place: number | null;
  readonly place_before: number | null;
}

/** So many of those who move are named. */
const NAMED_MOVES = 20;

/** Whom an amendment moves over all time, those first whose points it changes most; standings are renewed already. */
export async function movesBy(
  transaction: SqlEntityManager,
  {
    roundId,
    amendmentId,
    isFirst,
  }: { readonly roundId: number; readonly amendmentId: number; readonly isFirst: boolean },
): Promise<readonly Move[]> {
  const [gained, counted] = [sql`coalesce(d.points, 0)`, sql`coalesce(d.counted, 0)`];
  return rows<Move>(transaction)`
    with gains as (
      select agent_id, sum(points)::int as points, sum(counted)::int as counted from (
        select agent_id, score + streak_bonus as points, counted from score_corrections where amendment_id = ${amendmentId}
        union all select agent_id, score + streak_bonus, 1 from scores where round_id = ${roundId} and ${isFirst}
      ) one group by agent_id
    ), placed as (
      select s.agent_id, s.alltime_points as points, s.alltime_points - ${gained} as points_before,
        ${place(sql`s.alltime_competitions > 0`, sql`s.alltime_points`)} as place,
        ${place(sql`s.alltime_competitions > ${counted}`, sql`s.alltime_points - ${gained}`)} as place_before
      from standings s left join gains d on d.agent_id = s.agent_id
    )
    select a.name as agent, m.points, m.points_before, m.place, m.place_before
    from placed m join agents a on a.id = m.agent_id
    where m.points <> m.points_before or m.place is distinct from m.place_before
    order by abs(m.points - m.points_before) desc, m.place, a.id limit ${NAMED_MOVES}`;
}

/** An agent's place by these points among those on the board. */
function place(isOn: RawBuilder<unknown>, points: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${isOn} then (rank() over (partition by ${isOn} order by ${points} desc))::int end`;
}
