import { type RawBuilder, sql } from 'kysely';

import { SCORES } from '../../reads/scores.ts';
import { CHANCE_UNITS, payoffTable, type SummedPayoff, TABLE_ROWS } from '../../rules/payoff-table.ts';
import type { ScoredRound } from './moves.ts';
import { type Condition, type Figure, type Sum, SUMS, TOTALS } from '../../rules/sums.ts';

/** SQL of what a score `s` adds by the table of payoffs (rules/payoff-table.ts). */
interface PayoffSql {
  readonly choiceCount: RawBuilder<unknown>;
  readonly summed: (name: keyof SummedPayoff) => RawBuilder<unknown>;
}

/** Each figure of a score `s`. */
const FIGURE_SQL: Readonly<Record<Figure, (payoff: PayoffSql) => RawBuilder<unknown>>> = {
  points: () => sql`(s.score + s.streak_bonus)`,
  arenaPoints: () => sql`s.arena_points`,
  pnlUsd: () => sql`s.pnl_usd`,
  brier: () => sql`s.brier`,
  referenceBrier: () => sql`s.reference_brier`,
  skillSquare: ({ summed }) => summed('skillSquare'),
  edge: () => sql`s.edge_millionths::int8`,
  contribution: () => sql`coalesce(s.contribution_billionths, 0)::int8`,
  peer: () => sql`coalesce(s.peer_millionths, 0)::int8`,
  // Luck leaves standing predictions out: their P&L counts as the mean of chance, with no variance.
  chancePnl: ({ summed }) =>
    sql`case when s.standing then (s.pnl_usd * ${CHANCE_UNITS.pnl}::int)::int8 else ${summed('chancePnl')} end`,
  chanceVariance: ({ summed }) => sql`case when s.standing then 0 else ${summed('chanceVariance')} end`,
  arenaEdge: () => sql`s.arena_edge_millionths::int8`,
};

/** Each condition on a score `s`. */
const CONDITION_SQL: Readonly<Record<Condition, (payoff: PayoffSql) => RawBuilder<unknown>>> = {
  scored: () => sql`true`,
  correct: () => sql`s.is_correct`,
  withoutEdge: () => sql`(s.edge_millionths is null)`,
  withArenaEdge: () => sql`(s.arena_edge_millionths is not null)`,
  ownOf4Choices: ({ choiceCount }) => sql`(${choiceCount} = 4 and not s.standing)`,
  ownOf8Choices: ({ choiceCount }) => sql`(${choiceCount} = 8 and not s.standing)`,
  standing: () => sql`s.standing`,
  standingCorrect: () => sql`(s.standing and s.is_correct)`,
};

/** The number that a score `s` adds to a sum. */
function added(sum: Sum, payoff: PayoffSql): RawBuilder<unknown> {
  if ('counts' in sum) return sql`${CONDITION_SQL[sum.counts](payoff)}::int`;
  if ('sum' in sum) return FIGURE_SQL[sum.sum](payoff);
  const figure = FIGURE_SQL[sum.squares](payoff);
  return sql`${figure}::int8 * ${figure}`;
}

/**
 * The scores of these rounds as a table of `agent_id` and every sum's figure: one row a score where it is one round, which
 * needs no grouping; of several one row an agent, with what its scores come to. With `ofAgent` of this agent alone: what
 * is looked up for each row of a join.
 */
export function scoreSums(rounds: readonly ScoredRound[], ofAgent?: RawBuilder<unknown>): RawBuilder<unknown> {
  const [only] = rounds;
  const scores = rounds.some((round) => round.isCorrected) ? SCORES : sql`scores`;
  // Read by key for each row, however few scores the planner believes the round to have (`offset 0` keeps it apart).
  const [agent, apart] = ofAgent === undefined ? [sql``, sql``] : [sql`and s.agent_id = ${ofAgent}`, sql`offset 0`];
  if (rounds.length === 1 && only !== undefined) {
    const payoff = payoffSql([only.choiceCount], sql`${only.choiceCount}::int`);
    return sql`(select s.agent_id, ${sumList(payoff, (figure) => figure)} from ${scores} s
      where s.round_id = ${ofAgent === undefined ? only.id : believedUsual(only.id)} ${agent} ${apart})`;
  }
  const payoff = payoffSql([...new Set(rounds.map(({ choiceCount }) => choiceCount))], sql`r.choice_count`);
  const [ids, counts] = [rounds.map(({ id }) => id), rounds.map(({ choiceCount }) => choiceCount)];
  return sql`(select s.agent_id, ${sumList(payoff, (figure) => sql`sum(${figure})`)}
    from ${scores} s join unnest(${ids}::int[], ${counts}::int[]) r(id, choice_count) on r.id = s.round_id
    where s.round_id = any(${ofAgent === undefined ? ids : believedUsual(ids)}) ${agent} group by s.agent_id ${apart})`;
}

/**
 * The planner does not see which round or rounds it is, and takes them for usual ones. Of a round that it believes to have
 * one score every index on rounds finds an agent's as well, that of places too: which then reads all of them for each.
 */
function believedUsual(rounds: number | readonly number[]): RawBuilder<unknown> {
  return typeof rounds === 'number' ? sql`(select ${rounds}::int)` : sql`(select ${[...rounds]}::int[])::int[]`;
}

/** The totals of scores `s`, each under its column's name. */
export function totalsOfScores(): RawBuilder<unknown> {
  return sumList(payoffSql([], sql`null`), (figure) => sql`sum(${figure})`, TOTALS);
}

/** Every sum's figure, or what is made of it, under the sum's name. */
function sumList(
  payoff: PayoffSql,
  made: (figure: RawBuilder<unknown>) => RawBuilder<unknown>,
  sums: Readonly<Record<string, Sum>> = SUMS,
): RawBuilder<unknown> {
  return sql.join(Object.values(sums).map((sum) => sql`${made(added(sum, payoff))} as ${sql.raw(sum.column)}`));
}

/** The payoffs of scores `s` in rounds that have one of these numbers of answers, looked up in arrays. */
function payoffSql(counts: readonly number[], choiceCount: RawBuilder<unknown>): PayoffSql {
  const rows = counts.flatMap((count) => payoffTable(count));
  const index = payoffIndex(counts, choiceCount);
  return {
    choiceCount,
    summed: (name) => sql`(${rows.map((row) => row[name])}::int8[])[${index}]`,
  };
}

/** The index, from 1, of the payoff of a score `s` in the tables for these numbers of answers, one after the other. */
function payoffIndex(counts: readonly number[], choiceCount: RawBuilder<unknown>): RawBuilder<unknown> {
  const firsts = counts.map((count, table) => sql`when ${count}::int then ${TABLE_ROWS * table + 1}::int`);
  const first = counts.length === 1 ? sql`1` : sql`case ${choiceCount} ${sql.join(firsts, sql` `)} end`;
  return sql`${first} + case when s.is_correct then ${TABLE_ROWS / 2}::int else 0 end + s.confidence`;
}
