import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Round } from '../../entities/round.ts';
import type { TallyRow } from '../../rules/crowd.ts';
import {
  answerPayoffs,
  openingBrier,
  type ReferenceBriers,
  referenceBriers,
  type References,
} from '../../rules/payoffs.ts';
import { GRID_MS, GRID_POINTS } from '../../rules/grid.ts';
import { SECOND } from '../../rules/hours.ts';
import { STREAK_STEPS } from '../../rules/scoring.ts';
import { ARENA_BONUSES } from '../../rules/ranking.ts';
import { SCORE_FIGURES } from '../../reads/scores.ts';
import { rows } from '../../reads/sql.ts';
import { storedPools } from '../../reads/forecasts.ts';
import { arenaGain } from '../../rules/forecast/made.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { streakAfter } from '../ledger/standing-statements.ts';

/** What a round's predictions are scored by. */
export interface ScoredBy {
  readonly answer: string;
  /** All of its predictions, counted; kinds that were standing alone have 0. */
  readonly tally: readonly TallyRow[];
  readonly references: References;
  /** What an edge over the arena has more than one over the price, by the point of the grid, in its units. */
  readonly arenaGains: readonly (number | null)[];
}

/**
 * Scores every prediction of a round at once. The rules come in as data: what each answer and confidence earns, the
 * streak steps, the bonuses by place, the reference's Brier at each point of the grid. What was standing when the hour began
 * is `early`, whenever it was applied: it is measured by what the price alone said at the start. Its agent may leave it or answer
 * after the price has spoken: so what was standing has its edge in a column of its own, which no sum reads. Rows are written in the
 * order of agents, in which the index of agents' records grows from page to page. The order of places is `byPlace` of
 * rules/ranking.ts; a test holds the two together. What confidence and correctness decide of it is ranked once for each
 * row of the payoffs (`class`), so that the sort compares numbers.
 * A round of few (`isLarge` false) looks each agent's streak up, whatever the planner believes of their number; one of
 * many reads the streaks of all. All else, what the table's trigger looks up too, is joined whole: by the row, 4,000
 * predictions of a round whose statistics are not known yet took seconds.
 */
export async function scorePredictions(
  transaction: SqlEntityManager,
  round: Round,
  by: ScoredBy & { readonly isLarge: boolean },
): Promise<void> {
  const streak = by.isLarge
    ? { before: sql`t.current_streak`, from: sql`left join standings t on t.agent_id = p.agent_id` }
    : { before: sql`(select current_streak from standings where agent_id = p.agent_id)`, from: sql`` };
  const insert = () => rows(transaction)`
    insert into scores (${SCORE_COLUMNS})
    select ${SCORE_COLUMNS} from (${scoresOf(round, by, streak)}) s order by agent_id`;
  await withPlannerHint(transaction, 'hashJoins', insert);
}

/** What was standing and nobody submitted: kinds that are scored, and not of the crowd. */
export async function standingKinds(transaction: SqlEntityManager, roundId: number): Promise<readonly TallyRow[]> {
  return rows<TallyRow>(transaction)`
    select prediction as answer, confidence, 0 as n from predictions where round_id = ${roundId}
      and exists (select from rounds where id = ${roundId} and standing_at is not null)
    group by 1, 2 having bool_and(standing)`;
}

/**
 * The figures that score a round's predictions after an amendment. Their edge over the arena is that over its forecast of then,
 * which the first decision kept: a round that was void has none.
 */
export async function scoringAgain(
  transaction: SqlEntityManager,
  round: Round,
  { tally, references }: Pick<ScoredBy, 'tally' | 'references'>,
  answer: string,
): Promise<ScoredBy> {
  const kept = await storedPools(transaction, round);
  const priceAt = (point: number): readonly number[] | null => references.get(point) ?? null;
  const winner = round.choices.indexOf(answer);
  const arenaGains = Array.from({ length: GRID_POINTS }, (_, point) =>
    kept === null ? null : arenaGain({ choices: round.choices, ...kept, priceAt }, point, winner),
  );
  const all = [...tally, ...(await standingKinds(transaction, round.id))];
  return { answer, tally: all, references, arenaGains };
}

export const SCORE_COLUMNS = sql.raw(['round_id', 'agent_id', 'confidence', 'standing', ...SCORE_FIGURES].join(', '));

/** The scores of a round's predictions `p` as a query; `streak` is what each agent's was before, and what it is read from. */
export function scoresOf(
  round: Round,
  { answer, tally, references, arenaGains }: ScoredBy,
  streak: { readonly before: RawBuilder<unknown>; readonly from: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const judged = { choices: round.choices, outcome: answer, rulesVersion: round.rulesVersion };
  const payoffs = JSON.stringify(answerPayoffs(judged, tally));
  const briers = referenceBriers(judged, references);
  const edge = edgeOf(briers);
  const early = sql`(${openingBrier(judged, briers)}::int - r."edgeBrier")`;
  const { startTime } = round;
  return sql`
    with payoffs as (
      select e.*, rank() over (
        order by e.score desc, case when e.correct then -e.confidence else e.confidence end
      ) as class
      from jsonb_to_recordset(${payoffs}::jsonb) as e(answer text, confidence smallint, correct boolean, score smallint,
        "pnlUsd" numeric(7, 2), brier numeric(5, 4), "referenceBrier" numeric(7, 6), "ownBrier" int, "edgeBrier" int, contribution int8,
        "peerScore" int)
    ), ranked as (
      select p.round_id, p.agent_id, p.standing, p.set_at <= ${startTime}::timestamptz as early, e.*, ${gridPoint(round)} as point,
        ${streakAfter(sql`e.correct`, streak.before)} as streak,
        row_number() over (order by e.class, p.submitted_at, p.id) as place
      from predictions p
      join payoffs e on e.confidence = p.confidence and e.answer = p.prediction
      ${streak.from}
      where p.round_id = ${round.id}
    )
    select r.round_id, r.agent_id, r.confidence, r.standing, r.place, r.correct as is_correct, r.score,
      ${streakBonusOf(sql`r.streak`)} as streak_bonus, ${ARENA_POINTS} as arena_points, r."pnlUsd" as pnl_usd, r.brier,
      r."referenceBrier" as reference_brier, case when not r.standing then ${edge} end as edge_millionths,
      case when not r.standing then r.contribution end as contribution_billionths,
      case when not r.standing then r."peerScore" end as peer_millionths,
      case when not r.standing then ${edge} + (${[...arenaGains]}::int[])[r.point] end as arena_edge_millionths,
      case when r.early then ${early} when r.standing then ${edge} end as standing_edge_millionths
    from ranked r`;
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

/** SQL of what a streak pays. The steps, and the bonuses below, are conditions: cheaper for each row than a table to look them up in. */
export function streakBonusOf(streak: RawBuilder<unknown>): RawBuilder<unknown> {
  const steps = STREAK_STEPS.toReversed().map(
    ({ wins, bonus }) => sql`when ${streak} >= ${wins}::int then ${bonus}::int`,
  );
  return sql`case ${sql.join(steps, sql` `)} else 0 end`;
}

const ARENA_POINTS = sql.join(
  ARENA_BONUSES.map(
    ({ upToPlace, points }) => sql`case when r.place <= ${upToPlace}::int then ${points}::int else 0 end`,
  ),
  sql` + `,
);
