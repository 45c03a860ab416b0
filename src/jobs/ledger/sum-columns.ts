import { type AliasableExpression, type Expression, expressionBuilder, type InferResult, sql } from 'kysely';

import type { DB, Row } from '../../entities/tables.ts';
import { SCORES } from '../../reads/scores.ts';
import { CHANCE_UNITS, payoffTable, type SummedPayoff, TABLE_ROWS } from '../../rules/payoff-table.ts';
import { type Condition, type Figure, type Sum, SUMS, TOTALS } from '../../rules/sums.ts';
import { parts } from '../../reads/plan/parts.ts';
import { anyOf, anyOfOnePlan, element, wholeUnits } from '../../reads/fragments.ts';
import { arrayOf, unnested } from '../../reads/table-functions.ts';
import type { ScoredRound } from './moves.ts';

const s = expressionBuilder<{ s: DB['scores'] }, 's'>();

/** The parts of a score's sums that its round decides. */
interface Payoff {
  readonly choiceCount: Expression<number | null>;
  readonly summed: (name: keyof SummedPayoff) => Expression<unknown>;
}

const FIGURE_OF: Readonly<Record<Figure, (payoff: Payoff) => AliasableExpression<unknown>>> = {
  points: () => s.parens('s.score', '+', s.ref('s.streak_bonus')),
  arenaPoints: () => s.ref('s.arena_points'),
  pnlUsd: () => s.ref('s.pnl_usd'),
  brier: () => s.ref('s.brier'),
  referenceBrier: () => s.ref('s.reference_brier'),
  skillSquare: ({ summed }) => s.parens(summed('skillSquare')),
  edge: () => s.cast('s.edge_millionths', 'int8'),
  contribution: () => s.cast(s.fn.coalesce('s.contribution_billionths', s.lit(0)), 'int8'),
  peer: () => s.cast(s.fn.coalesce('s.peer_millionths', s.lit(0)), 'int8'),
  // Luck leaves standing predictions out: their P&L counts as the mean of chance, with no variance.
  chancePnl: ({ summed }) =>
    unlessStanding(summed('chancePnl'), wholeUnits(s.ref('s.pnl_usd'), CHANCE_UNITS.pnl, 'int8')),
  chanceVariance: ({ summed }) => unlessStanding(summed('chanceVariance'), s.lit(0)),
  arenaEdge: () => s.cast('s.arena_edge_millionths', 'int8'),
};

function unlessStanding(figure: Expression<unknown>, standing: Expression<unknown>) {
  return s.case().when(s.ref('s.standing')).then(standing).else(figure).end();
}

const CONDITION_OF: Readonly<Record<Condition, (payoff: Payoff) => Expression<unknown>>> = {
  scored: () => s.lit(true),
  correct: () => s.ref('s.is_correct'),
  withoutEdge: () => s('s.edge_millionths', 'is', null),
  withArenaEdge: () => s('s.arena_edge_millionths', 'is not', null),
  ownOf4Choices: ({ choiceCount }) => s.and([s(choiceCount, '=', s.lit(4)), s.not(s.ref('s.standing'))]),
  ownOf8Choices: ({ choiceCount }) => s.and([s(choiceCount, '=', s.lit(8)), s.not(s.ref('s.standing'))]),
  standing: () => s.ref('s.standing'),
  standingCorrect: () => s.and([s.ref('s.standing'), s.ref('s.is_correct')]),
};

/** The number that a score adds to a sum. */
function added(sum: Sum, payoff: Payoff): AliasableExpression<unknown> {
  if ('counts' in sum) return s.cast(CONDITION_OF[sum.counts](payoff), 'integer');
  if ('sum' in sum) return FIGURE_OF[sum.sum](payoff);
  const figure = FIGURE_OF[sum.squares](payoff);
  return s(s.cast(figure, 'int8'), '*', figure);
}

/**
 * A query for `agent_id` and every sum of these rounds. Scores of one round are not grouped: each agent has one at most.
 * With `ofAgent` it returns this agent's row alone, for each row of a join: `offset 0` keeps the query apart, and a
 * subquery hides the rounds from the planner. For a round that it expects to have one score, it might choose another index by
 * round, and read all scores of the round for each agent.
 */
export function scoreSums(rounds: readonly ScoredRound[], ofAgent?: Expression<number>) {
  const [only] = rounds;
  const isCorrected = rounds.some((round) => round.isCorrected);
  const all = parts.selectFrom(isCorrected ? SCORES.as('s') : sql.table<Row<'scores'>>('scores').as('s'));
  const scores = ofAgent === undefined ? all : all.where('s.agent_id', '=', ofAgent).offset(s.lit(0));
  if (rounds.length === 1 && only !== undefined) {
    const { id, choiceCount } = only;
    const own = scores.where('s.round_id', '=', ofAgent === undefined ? id : sql<number>`(select ${id}::int)`);
    return own.select('s.agent_id').select(sumsOf(payoffOf([choiceCount], s.val(choiceCount), s.lit(1))));
  }
  const [ids, choiceCounts] = [rounds.map(({ id }) => id), rounds.map(({ choiceCount }) => choiceCount)];
  const counts = [...new Set(choiceCounts)];
  const firstRows = choiceCounts.map((count) => TABLE_ROWS * counts.indexOf(count) + 1);
  const payoff = payoffOf(counts, sql.ref('r.choice_count'), sql.ref('r.first_row'));
  const listed = unnested('r', {
    id: [ids, 'int'],
    choice_count: [choiceCounts, 'int'],
    first_row: [firstRows, 'int'],
  });
  const among = ofAgent === undefined ? listed : roundsByKey(counts);
  return scores
    .innerJoin(among, 'r.id', 's.round_id')
    .where('s.round_id', '=', ofAgent === undefined ? anyOf(ids) : anyOfOnePlan(ids))
    .groupBy('s.agent_id')
    .select(['s.agent_id', ...sumsOf(payoff, (figure) => s.fn.sum(figure))]);
}

/** Every round, to be read by its key: each of an agent's rounds would be compared with a whole list. */
function roundsByKey(counts: readonly number[]) {
  const count = sql<number>`jsonb_array_length(choices)`;
  const place = sql<number>`array_position(${arrayOf(counts, 'int')}, ${count})`;
  return sql<Record<'id' | 'choice_count' | 'first_row', number>>`(
    select id, ${count} as choice_count, ${TABLE_ROWS}::int * (${place} - 1) + 1 as first_row from rounds)`.as<'r'>(
    'r',
  );
}

/** An agent and its sums. */
export type AgentSums = InferResult<ReturnType<typeof scoreSums>>[number];

/** A sum with those added that enter (1), and those subtracted that leave (-1); a missing one is 0. */
export function movedSum(
  sum: Expression<unknown>,
  moves: readonly (readonly [sign: 1 | -1, sum: Expression<unknown>])[],
) {
  return moves.reduce((all, [sign, one]) => parts(all, sign === 1 ? '+' : '-', sumOrZero(one)), sumOrZero(sum));
}

function sumOrZero(sum: Expression<unknown>) {
  return parts.fn.coalesce(sum, parts.lit(0)).$castTo<number>();
}

/** The totals of scores `s` in a statement's text, each under its column's name. */
export function totalsOfScores() {
  return sql.join(sumsOf(payoffOf([], s.lit(null), s.lit(1)), (figure) => s.fn.sum(figure), TOTALS));
}

/** Each sum's figure, or an expression of it, under the sum's column. */
function sumsOf(
  payoff: Payoff,
  made: (figure: AliasableExpression<unknown>) => AliasableExpression<unknown> = (figure) => figure,
  sums: Readonly<Record<string, Sum>> = SUMS,
) {
  return Object.values(sums).map((sum) => made(added(sum, payoff)).as(sum.column));
}

/** The payoffs in rounds with one of these numbers of answers: arrays of their tables, one after the other. */
function payoffOf(counts: readonly number[], choiceCount: Payoff['choiceCount'], firstRow: Expression<number>): Payoff {
  const rows = counts.flatMap((count) => payoffTable(count));
  const half = s(s.cast<number>('s.is_correct', 'integer'), '*', s.lit(TABLE_ROWS / 2));
  const row = s(s(firstRow, '+', half), '+', s.ref('s.confidence'));
  const listOf = (name: keyof SummedPayoff) => rows.map((one) => one[name]);
  return { choiceCount, summed: (name) => element(arrayOf(listOf(name), 'bigint'), row) };
}
