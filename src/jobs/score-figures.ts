import { type RawBuilder, sql } from 'kysely';

import { type KindFigures, kindFigures, KINDS_OF_ONE } from '../rules/kind-figures.ts';

/** A round whose scores are added up. */
export interface ScoredRound {
  readonly id: number;
  /** How many answers its question has. */
  readonly choiceCount: number;
}

/** SQL of what follows from a score's kind (rules/kind-figures.ts), of a score `s`. */
interface KindSql {
  readonly choiceCount: RawBuilder<unknown>;
  readonly figure: (name: keyof KindFigures) => RawBuilder<unknown>;
}

/** What a window adds up, and the figure of a score `s` that it adds. */
export const SUMS = [
  { column: 'points', of: () => sql`s.score + s.streak_bonus` },
  { column: 'arena_points', of: () => sql`s.arena_points` },
  { column: 'wins', of: () => sql`s.is_correct::int` },
  { column: 'competitions', of: () => sql`1` },
  { column: 'pnl_usd', of: () => sql`s.pnl_usd` },
  { column: 'brier_sum', of: () => sql`s.brier` },
  { column: 'reference_brier_sum', of: () => sql`s.reference_brier` },
  { column: 'points_square_sum', of: () => sql`(s.score + s.streak_bonus) * (s.score + s.streak_bonus)` },
  { column: 'skill_square_sum', of: ({ figure }: KindSql) => figure('skillSquare') },
  { column: 'edge_sum', of: () => sql`s.edge_millionths::int8` },
  { column: 'edge_square_sum', of: () => sql`s.edge_millionths::int8 * s.edge_millionths` },
  { column: 'contribution_sum', of: () => sql`coalesce(s.contribution_billionths, 0)::int8` },
  { column: 'peer_sum', of: () => sql`coalesce(s.peer_millionths, 0)::int8` },
  { column: 'choices_4', of: ({ choiceCount }: KindSql) => sql`(${choiceCount} = 4)::int` },
  { column: 'choices_8', of: ({ choiceCount }: KindSql) => sql`(${choiceCount} = 8)::int` },
  { column: 'chance_pnl_sum', of: ({ figure }: KindSql) => figure('chancePnl') },
  { column: 'chance_pnl_variance', of: ({ figure }: KindSql) => figure('chanceVariance') },
] as const;

/**
 * The scores of these rounds as a table of `agent_id` and every sum's figure: one row a score where it is one round, which
 * needs no grouping; of several one row an agent, with what its scores come to. With `ofAgent` of this agent alone: what
 * is looked up for each row of a join.
 */
export function scoreFigures(rounds: readonly ScoredRound[], ofAgent?: RawBuilder<unknown>): RawBuilder<unknown> {
  const [only] = rounds;
  // Read by key for each row, however few scores the planner believes the round to have (`offset 0` keeps it apart).
  const [agent, apart] = ofAgent === undefined ? [sql``, sql``] : [sql`and s.agent_id = ${ofAgent}`, sql`offset 0`];
  if (rounds.length === 1 && only !== undefined) {
    const kind = kindSql([only.choiceCount], sql`${only.choiceCount}::int`);
    return sql`(select s.agent_id, ${figureList(kind, (figure) => figure)} from scores s
      where s.round_id = ${ofAgent === undefined ? only.id : believedUsual(only.id)} ${agent} ${apart})`;
  }
  const kind = kindSql([...new Set(rounds.map(({ choiceCount }) => choiceCount))], sql`r.choice_count`);
  const [ids, counts] = [rounds.map(({ id }) => id), rounds.map(({ choiceCount }) => choiceCount)];
  return sql`(select s.agent_id, ${figureList(kind, (figure) => sql`sum(${figure})`)}
    from scores s join unnest(${ids}::int[], ${counts}::int[]) r(id, choice_count) on r.id = s.round_id
    where s.round_id = any(${ofAgent === undefined ? ids : believedUsual(ids)}) ${agent} group by s.agent_id ${apart})`;
}

/**
 * The planner does not see which round or rounds it is, and takes them for usual ones. Of a round that it believes to have
 * one score every index on rounds finds an agent's as well, that of places too: which then reads all of them for each.
 */
function believedUsual(rounds: number | readonly number[]): RawBuilder<unknown> {
  return typeof rounds === 'number' ? sql`(select ${rounds}::int)` : sql`(select ${[...rounds]}::int[])::int[]`;
}

/** Every sum's figure, or what is made of it, under the sum's name. */
function figureList(kind: KindSql, made: (figure: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(SUMS.map(({ column, of }) => sql`${made(of(kind))} as ${sql.raw(column)}`));
}

/** The kinds of scores `s` in rounds that have one of these numbers of answers: figures are looked up in arrays. */
function kindSql(counts: readonly number[], choiceCount: RawBuilder<unknown>): KindSql {
  const kinds = counts.flatMap((count) => kindFigures(count));
  const place = placeOfKind(counts, choiceCount);
  return {
    choiceCount,
    figure: (name) => sql`(${kinds.map((kind) => kind[name])}::int8[])[${place}]`,
  };
}

/** Where the kind of a score `s` stands in an array of all kinds of these numbers of answers. */
function placeOfKind(counts: readonly number[], choiceCount: RawBuilder<unknown>): RawBuilder<unknown> {
  const firsts = counts.map((count, place) => sql`when ${count}::int then ${KINDS_OF_ONE * place + 1}::int`);
  const first = counts.length === 1 ? sql`1` : sql`case ${choiceCount} ${sql.join(firsts, sql` `)} end`;
  return sql`${first} + case when s.is_correct then ${KINDS_OF_ONE / 2}::int else 0 end + s.confidence`;
}
