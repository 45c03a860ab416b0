import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import type { TallyRow } from '../rules/crowd.ts';
import { answerPayoffs, type ReferenceBriers, referenceBriers, type References } from '../rules/payoffs.ts';
import { GRID_MS, GRID_POINTS } from '../rules/grid.ts';
import { SECOND } from '../rules/hours.ts';
import { STREAK_STEPS } from '../rules/scoring.ts';
import { ARENA_BONUSES } from '../rules/ranking.ts';
import { withPlannerHint } from './planner-hints.ts';
import { streakAfter } from './standings/standing-statements.ts';

/** What a round's predictions are scored by. */
interface ScoredBy {
  readonly answer: string;
  /** All of its predictions, counted. */
  readonly tally: readonly TallyRow[];
  readonly references: References;
  /** What an edge over the arena has more than one over the price, by the point of the grid, in its units. */
  readonly arenaGains: readonly (number | null)[];
  readonly isLarge: boolean;
}

/**
 * Scores every prediction of a round at once. The rules come in as data: what each answer and confidence earns, the
 * streak steps, the bonuses by place, the reference's Brier at each point of the grid. Rows are written in the order of
 * agents, in which the index of agents' records grows from page to page. The order of places is `byPlace` of
 * rules/ranking.ts; a test holds the two together. What confidence and correctness decide of it is ranked once for each
 * row of the payoffs (`class`), so that the sort compares numbers.
 * A round of few (`isLarge` false) looks each agent's streak up, whatever the planner believes of their number; one of
 * many reads the streaks of all. All else, what the table's trigger looks up too, is joined whole: by the row, 4,000
 * predictions of a round whose statistics are not known yet took seconds.
 */
export async function scorePredictions(transaction: SqlEntityManager, round: Round, by: ScoredBy): Promise<void> {
  await withPlannerHint(transaction, 'hashJoins', () => insertScores(transaction, round, by));
}

async function insertScores(
  transaction: SqlEntityManager,
  round: Round,
  { answer, tally, references, arenaGains, isLarge }: ScoredBy,
): Promise<void> {
  const streak = isLarge
    ? sql`t.current_streak`
    : sql`(select current_streak from standings where agent_id = p.agent_id)`;
  const judged = { choices: round.choices, outcome: answer, rulesVersion: round.rulesVersion };
  const payoffs = JSON.stringify(answerPayoffs(judged, tally));
  const edge = edgeOf(referenceBriers(judged, references));
  await sql`
    with payoffs as (
      select e.*, rank() over (
        order by e.score desc, case when e.correct then -e.confidence else e.confidence end
      ) as class
      from jsonb_to_recordset(${payoffs}::jsonb) as e(answer text, confidence smallint, correct boolean, score smallint,
        "pnlUsd" numeric(7, 2), brier numeric(5, 4), "referenceBrier" numeric(7, 6), "ownBrier" int, "edgeBrier" int, contribution int,
        "peerScore" int)
    ), ranked as (
      select p.round_id, p.agent_id, e.*, ${gridPoint(round)} as point,
        ${streakAfter(sql`e.correct`, streak)} as streak,
        row_number() over (order by e.class, p.submitted_at, p.id) as place
      from predictions p
      join payoffs e on e.confidence = p.confidence and e.answer = p.prediction
      ${isLarge ? sql`left join standings t on t.agent_id = p.agent_id` : sql``}
      where p.round_id = ${round.id}
    )
    insert into scores (round_id, agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd, brier, reference_brier,
      confidence, edge_millionths, contribution_billionths, peer_millionths, arena_edge_millionths)
    select r.round_id, r.agent_id, r.correct, r.score,
      ${STREAK_BONUS}, r.place, ${ARENA_POINTS},
      r."pnlUsd", r.brier, r."referenceBrier", r.confidence, ${edge}, r.contribution, r."peerScore", ${edge} + (${[...arenaGains]}::int[])[r.point]
    from ranked r
    order by r.agent_id`.execute(transaction.getKysely());
}

/** The edge of a ranked prediction `r` with its payoff, as `edgeAt` of rules/payoffs.ts has it. */
function edgeOf({ open, settled }: ReferenceBriers) {
  return settled.every((brier) => brier === null)
    ? over(open, 'edgeBrier')
    : sql`coalesce(${over(open, 'edgeBrier')}, ${over(settled, 'ownBrier')})`;
}

function over(briers: readonly (number | null)[], own: string) {
  return sql`((${[...briers]}::int[])[r.point] - r.${sql.ref(own)})`;
}

/** The point of the grid (`gridPointAt` of rules/grid.ts) at which a prediction `p` was submitted, counted from 1 as arrays are. */
function gridPoint({ startTime }: Round) {
  const seconds = sql`date_part('epoch', p.submitted_at - ${startTime}::timestamptz)`;
  return sql`1 + least(floor(${seconds} / ${GRID_MS / SECOND}::float8)::int, ${GRID_POINTS - 1}::int)`;
}

/** The steps and bonuses as conditions, which are cheaper for each row than a table to look them up in. */
const STREAK_BONUS = sql`case ${sql.join(
  STREAK_STEPS.toReversed().map(({ wins, bonus }) => sql`when r.streak >= ${wins}::int then ${bonus}::int`),
  sql` `,
)} else 0 end`;

const ARENA_POINTS = sql.join(
  ARENA_BONUSES.map(
    ({ upToPlace, points }) => sql`case when r.place <= ${upToPlace}::int then ${points}::int else 0 end`,
  ),
  sql` + `,
);
