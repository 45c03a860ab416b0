import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, sql } from 'kysely';

import type { Round } from '../../entities/round.ts';
import type { DB } from '../../entities/tables.ts';
import type { TallyRow } from '../../rules/crowd.ts';
import {
  type AnswerPayoff,
  answerPayoffs,
  openingBrier,
  type ReferenceBriers,
  referenceBriers,
  type References,
} from '../../rules/payoffs.ts';
import { GRID_POINTS } from '../../rules/grid.ts';
import { STREAK_STEPS } from '../../rules/scoring.ts';
import { ARENA_BONUSES } from '../../rules/ranking.ts';
import { element, firstTrue } from '../../reads/fragments.ts';
import { arrayOf } from '../../reads/table-functions.ts';
import { SCORE_COLUMNS } from '../../reads/scores.ts';
import { storedPools } from '../../reads/forecasts.ts';
import { gridPointOf } from '../../references/references.ts';
import { arenaGain } from '../../rules/forecast/made.ts';
import { parts } from '../../reads/plan/parts.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { streakAfter } from '../ledger/standing-statements.ts';

/** The basis of a round's scores. */
export interface ScoreBasis {
  readonly answer: string;
  /** The counts of all predictions; groups of standing predictions alone have 0. */
  readonly tally: readonly TallyRow[];
  readonly references: References;
  /** Edge over the arena minus edge over the price, per grid point, in millionths. */
  readonly arenaGains: readonly (number | null)[];
}

/**
 * Scores every prediction of a round in one statement. The rules come in as data: the payoff of each answer and confidence,
 * the streak steps, the bonuses by place, the reference's Brier at each grid point. Rows are written in the order of agents,
 * so that the index of agents' records grows from page to page.
 *
 * A standing prediction that was set before the hour is `early`. It is measured by the price at the start. Its edge
 * has a separate column, which no sum reads, since its agent could still answer after the price has moved.
 *
 * Places are in the order `byPlace` of rules/ranking.ts; a test compares the two. The rank by confidence and correctness
 * (`class`) is computed once for each payoff, so that the sort compares numbers.
 *
 * A small round (`isLarge` false) looks up each agent's streak; a large one joins all standings. Everything else is a hash
 * join, also in the table's trigger: the planner has no statistics of the round yet, and lookups by row take seconds.
 */
export async function scorePredictions(
  transaction: SqlEntityManager,
  round: Round,
  by: ScoreBasis & { readonly isLarge: boolean },
): Promise<void> {
  const scores = scoresOf(transaction, round, by, by.isLarge ? 'joined' : 'lookedUp');
  const inserted = transaction
    .getKysely<DB>()
    .insertInto('scores')
    .columns(SCORE_COLUMNS)
    .expression((of) => of.selectFrom(scores.as('s')).select(SCORE_COLUMNS).orderBy('agent_id'));
  await withPlannerHint(transaction, 'hashJoins', () => inserted.execute());
}

/** The answers and confidences that only standing predictions gave: they are scored, and no part of the crowd. */
export async function standingOnlyTally(transaction: SqlEntityManager, roundId: number): Promise<readonly TallyRow[]> {
  const tables = transaction.getKysely<DB>();
  const applied = tables.selectFrom('rounds').where('id', '=', roundId).where('standing_at', 'is not', null);
  return tables
    .selectFrom('predictions')
    .select((of) => ['prediction as answer', 'confidence', of.lit(0).as('n')])
    .where('round_id', '=', roundId)
    .where((of) => of.exists(applied))
    .groupBy(['prediction', 'confidence'])
    .having(({ fn }) => fn<boolean>('bool_and', ['standing']))
    .execute();
}

/**
 * The basis of a round's scores after an amendment. The edge over the arena follows from the forecast that the first decision
 * stored; a round that was void has none.
 */
export async function scoringAgain(
  transaction: SqlEntityManager,
  round: Round,
  { tally, references }: Pick<ScoreBasis, 'tally' | 'references'>,
  answer: string,
): Promise<ScoreBasis> {
  const kept = await storedPools(transaction, round);
  const referenceAtPoint = (point: number): readonly number[] | null => references.get(point) ?? null;
  const winner = round.choices.indexOf(answer);
  const arenaGains = Array.from({ length: GRID_POINTS }, (_, point) =>
    kept === null ? null : arenaGain({ choices: round.choices, ...kept, referenceAtPoint }, point, winner),
  );
  const all = [...tally, ...(await standingOnlyTally(transaction, round.id))];
  return { answer, tally: all, references, arenaGains };
}

/** A table `e` of payoffs. */
function payoffTable(payoffs: readonly AnswerPayoff[]) {
  return sql<AnswerPayoff>`jsonb_to_recordset(${JSON.stringify(payoffs)}::jsonb)`.as<'e'>(sql`e(answer text,
    confidence smallint, correct boolean, score smallint, "pnlUsd" numeric(7, 2), brier numeric(5, 4),
    "referenceBrier" numeric(7, 6), "ownBrier" int, "edgeBrier" int, contribution int8, "peerScore" int)`);
}

/** A prediction `r` with its payoff; its point's place in an array counts from 1. */
const ranked = expressionBuilder<{ r: AnswerPayoff & { readonly place: number; readonly point: number } }, 'r'>();

const predicted = expressionBuilder<{ t: DB['standings']; p: DB['predictions'] } & DB, 't' | 'p'>();

/** Each agent's streak before the round: of joined standings, or looked up for each prediction. */
const STREAK_BEFORE = {
  joined: predicted.ref('t.current_streak'),
  lookedUp: predicted
    .selectFrom('standings')
    .select('current_streak')
    .whereRef('standings.agent_id', '=', 'p.agent_id')
    .$asScalar(),
  none: predicted.lit(0),
} as const;

/** Payoffs `e` in the order of places. */
const PAYOFF_CLASS = sql<number>`rank() over (
  order by e.score desc, case when e.correct then -e.confidence else e.confidence end)`;

/** The scores of a round's predictions, as a query of `SCORE_COLUMNS`. */
export function scoresOf(
  em: SqlEntityManager,
  round: Round,
  { answer, tally, references, arenaGains }: ScoreBasis,
  streaks: keyof typeof STREAK_BEFORE,
) {
  const judged = { choices: round.choices, outcome: answer, rulesVersion: round.rulesVersion };
  const payoffs = payoffTable(answerPayoffs(judged, tally));
  const briers = referenceBriers(judged, references);
  const edge = edgeOf(briers);
  const start = parts.cast<Date>(parts.val(round.startTime), 'timestamptz');
  const gridPoint = gridPointOf(predicted.ref('p.submitted_at'), start);
  return em
    .getKysely<DB>()
    .with('payoffs', (q) => q.selectFrom(payoffs).selectAll().select(PAYOFF_CLASS.as('class')))
    .with('ranked', (q) =>
      q
        .selectFrom('predictions as p')
        .innerJoin('payoffs as e', (on) =>
          on.onRef('e.confidence', '=', 'p.confidence').onRef('e.answer', '=', 'p.prediction'),
        )
        .$if(streaks === 'joined', (own) => own.leftJoin('standings as t', 't.agent_id', 'p.agent_id'))
        .where('p.round_id', '=', round.id)
        .selectAll('e')
        .select(['p.round_id', 'p.agent_id', 'p.standing'])
        .select((of) => [
          of('p.set_at', '<=', start).as('early'),
          of(of.fn<number>('least', [gridPoint, of.lit(GRID_POINTS - 1)]), '+', of.lit(1)).as('point'),
          streakAfter(of.ref('e.correct'), STREAK_BEFORE[streaks]).as('streak'),
          of.fn
            .agg<number>('row_number')
            .over((order) => order.orderBy('e.class').orderBy('p.submitted_at').orderBy('p.id'))
            .as('place'),
        ]),
    )
    .selectFrom('ranked as r')
    .select(['r.round_id', 'r.agent_id', 'r.confidence', 'r.standing', 'r.place', 'r.correct as is_correct', 'r.score'])
    .select(['r.pnlUsd as pnl_usd', 'r.brier', 'r.referenceBrier as reference_brier'])
    .select((of) => [streakBonusOf(of.ref('r.streak')).as('streak_bonus'), ARENA_POINTS.as('arena_points')])
    .select((of) => {
      const own = (figure: Expression<number | null>) => of.case().when(of.not('r.standing')).then(figure).end();
      const early = of(of.val(openingBrier(judged, briers)), '-', of.ref('r.edgeBrier'));
      return [
        own(edge).as('edge_millionths'),
        own(of.ref('r.contribution')).as('contribution_billionths'),
        own(of.ref('r.peerScore')).as('peer_millionths'),
        own(of(edge, '+', atPoint(arenaGains))).as('arena_edge_millionths'),
        of
          .case()
          .when('r.early', '=', true)
          .then(early)
          .when('r.standing', '=', true)
          .then(edge)
          .end()
          .as('standing_edge_millionths'),
      ];
    });
}

/** The edge of a ranked prediction `r` with its payoff: `edgeAt` of rules/payoffs.ts. */
function edgeOf({ open, settled }: ReferenceBriers): Expression<number | null> {
  const ofOpen = ranked.parens(atPoint(open), '-', ranked.ref('r.edgeBrier'));
  if (settled.every((brier) => brier === null)) return ofOpen;
  return ranked.fn.coalesce(ofOpen, ranked(atPoint(settled), '-', ranked.ref('r.ownBrier')));
}

/** The figure at the grid point of a ranked prediction `r`. */
function atPoint(figures: readonly (number | null)[]) {
  return element(arrayOf(figures, 'int'), ranked.ref('r.point'));
}

/** SQL of a streak's bonus. Its steps, and the bonuses of places, are conditions: they cost less than a lookup in a table. */
export function streakBonusOf(streak: Expression<number>) {
  const steps = STREAK_STEPS.toReversed();
  const bonuses = steps.map(
    ({ wins, bonus }) => [parts(streak, '>=', parts.lit(wins)), parts.lit<number>(bonus)] as const,
  );
  return parts.parens(firstTrue(bonuses, parts.lit<number>(0)));
}

const ARENA_POINTS = ARENA_BONUSES.map(({ upToPlace, points }) => {
  const isWithin = ranked('r.place', '<=', ranked.lit(upToPlace));
  return ranked.case().when(isWithin).then(ranked.lit<number>(points)).else(ranked.lit(0)).end();
}).reduce((sum, bonus) => ranked(sum, '+', bonus));
