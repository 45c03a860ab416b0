import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type NotNull, sql } from 'kysely';

import { givenRows, insertRows } from '../../entities/given-rows.ts';
import type { DB } from '../../entities/tables.ts';
import { RESOLVED_COLUMNS } from '../../reads/forecast-record.ts';
import { json, newestTotals, totalsByMinute } from '../../reads/forecasts.ts';
import { parts } from '../../reads/plan/parts.ts';
import { referenceBrier } from '../../rules/edge.ts';
import { expertsIn } from '../../rules/forecast/forecast.ts';
import { NO_TOTALS, type Totals, totalsAmended } from '../../rules/forecast/mixture.ts';
import { binSums, type BinSums, type ResolvedForecast } from '../../rules/forecast/reliability.ts';
import type { DecidedRound } from './decisions.ts';
import { lockUntilCommit } from '../../entities/advisory-locks.ts';
import { addForecastSums, amendForecastSums } from './forecast-sums.ts';

/** Recorded forecasts `f` of resolved rounds `r` that were decided after every scored one. */
function unscored(em: SqlEntityManager) {
  const tables = em.getKysely<DB>();
  const scoredUntil = tables.selectFrom('forecast_scores').select(({ fn }) => fn.max('decided_at').as('until'));
  return (
    tables
      .selectFrom('rounds as r')
      .innerJoin('round_forecasts as f', 'f.round_id', 'r.id')
      .where('r.status', '=', 'resolved')
      .where(({ eb, fn }) => eb('r.decided_at', '>', fn.coalesce(scoredUntil, sql.lit('-infinity').$castTo<Date>())))
      // Between two bounds the planner expects few rounds; above one, a third of all and their forecasts.
      .where('r.decided_at', '<', sql.lit('infinity').$castTo<Date>())
  );
}

/**
 * Scores the recorded forecasts of resolved rounds, in the order of the decisions. Each resolution calls it in its own
 * transaction, one at a time. It also scores forecasts of earlier decisions that have no score yet.
 */
export async function scoreForecasts(transaction: SqlEntityManager): Promise<void> {
  const found = await unscored(transaction)
    .select([
      'f.round_id as roundId',
      'f.minute',
      'r.decided_at as decidedAt',
      'r.question_type as questionType',
      'r.subject',
    ])
    .select(RESOLVED_COLUMNS)
    .orderBy('r.decided_at')
    .orderBy('f.minute')
    .$narrowType<{ decidedAt: NotNull }>()
    .execute();
  if (found.length === 0) return;
  await insertScores(
    transaction,
    found.map((one) => ({ ...one, before: null, after: one.winner })),
  );
  await addToBins(transaction, binSums(found));
  await addForecastSums(transaction, found);
}

/** A recorded forecast and a decision of its round. */
interface ForecastDecision extends Omit<ResolvedForecast, 'entries' | 'winner'> {
  readonly roundId: number;
  readonly decidedAt: Date;
  /** The index of the winning answer before the decision; null: none. */
  readonly before: number | null;
  /** The index of the winning answer since the decision; null: none. */
  readonly after: number | null;
}

/** Scores these, in the order of the decisions: the totals of each follow from those before it. */
async function insertScores(transaction: SqlEntityManager, judged: readonly ForecastDecision[]): Promise<void> {
  const newest = await totalsSoFar(transaction);
  const scores = judged.map(({ roundId, minute, decidedAt, probabilities, said, before, after }) => {
    const experts = expertsIn(said, probabilities.length);
    const brierOf = (vector: readonly number[]): number => (after === null ? 0 : referenceBrier(vector, after));
    const totals = totalsAmended(newest.get(minute) ?? NO_TOTALS, experts, { before, after });
    newest.set(minute, totals);
    const briers = { brier: brierOf(probabilities), expert_briers: experts.map(brierOf) };
    return { round_id: roundId, minute, decided_at: decidedAt, ...briers, totals };
  });
  await insertRows(transaction, 'forecast_scores', scores);
}

/** Adds to the sums of each tenth; negative sums are subtracted, and a tenth without forecasts is deleted. */
async function addToBins(transaction: SqlEntityManager, bins: readonly BinSums[]): Promise<void> {
  const key = ['minute', 'judged', 'bin'] as const;
  await transaction
    .getKysely<DB>()
    .with('added', (q) => q.selectFrom(givenRows('forecast_reliability', bins)).select([...key, 'n', 'hits', 'sum']))
    .with('kept', (q) =>
      q
        .deleteFrom('forecast_reliability as t')
        .using(q.selectFrom('added').select(key).distinct().as('b'))
        .whereRef('t.minute', '=', 'b.minute')
        .whereRef('t.judged', '=', 'b.judged')
        .whereRef('t.bin', '=', 'b.bin')
        .returning(['t.minute', 't.judged', 't.bin', 't.n', 't.hits', 't.sum']),
    )
    .insertInto('forecast_reliability')
    .columns([...key, 'n', 'hits', 'sum'])
    .expression((of) =>
      of
        .selectFrom(of.selectFrom('kept').selectAll().unionAll(of.selectFrom('added').selectAll()).as('b'))
        .select(({ fn }) => [...key, fn.sum('n').as('n'), fn.sum('hits').as('hits'), fn.sum('sum').as('sum')])
        .groupBy(key)
        .having(({ fn }) => fn.sum('n'), '>', 0),
    )
    .execute();
}

/**
 * Scores the recorded forecasts of an amended round once more: the totals lose the previous decision's Brier scores and
 * gain the new one's, from now on. An answer is null where the round is void.
 */
export async function amendForecasts(
  transaction: SqlEntityManager,
  round: Pick<DecidedRound, 'id' | 'choices' | 'questionType' | 'subject'>,
  { from, to, at }: { readonly from: string | null; readonly to: string | null; readonly at: Date },
): Promise<void> {
  const { id: roundId, choices } = round;
  const recorded = await transaction
    .getKysely<DB>()
    .selectFrom('round_forecasts as f')
    .where('f.round_id', '=', roundId)
    .select(['f.minute', 'f.entries'])
    .select([json('f', 'probabilities').as('probabilities'), json('f', 'said').as('said')])
    .execute();
  const placeOf = (answer: string | null): number | null => (answer === null ? null : choices.indexOf(answer));
  const [before, after] = [placeOf(from), placeOf(to)];
  await insertScores(
    transaction,
    recorded.map((one) => ({ ...one, roundId, decidedAt: at, before, after })),
  );
  const judged = (winner: number | null) =>
    winner === null ? [] : binSums(recorded.map((one) => ({ ...one, winner })));
  const taken = judged(before).map((one) => ({ ...one, n: -one.n, hits: -one.hits, sum: -one.sum }));
  await addToBins(transaction, [...taken, ...judged(after)]);
  await amendForecastSums(transaction, round);
}

/** Scores forecasts of resolved rounds that have no score yet, in one transaction. */
export async function makeUpForScores(newEm: () => SqlEntityManager): Promise<void> {
  const left = await unscored(newEm()).select('f.minute').limit(1).execute();
  if (left.length === 0) return;
  await newEm().transactional(async (transaction) => {
    await lockUntilCommit(transaction, 'resolutions');
    await scoreForecasts(transaction);
  });
}

async function totalsSoFar(transaction: SqlEntityManager): Promise<Map<number, Totals>> {
  const newest = newestTotals(parts.cast<Date>(sql.lit('infinity'), 'timestamptz')).as('totals');
  const { totals } = await transaction.getKysely<DB>().selectNoFrom(newest).executeTakeFirstOrThrow();
  return new Map(totalsByMinute(totals));
}
