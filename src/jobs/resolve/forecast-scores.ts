import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { givenRows, insertRows } from '../../entities/given-rows.ts';
import type { Round } from '../../entities/round.ts';
import type { DB } from '../../entities/tables.ts';
import { json, newestTotals, totalsByMinute } from '../../reads/forecasts.ts';
import { parts } from '../../reads/plan/parts.ts';
import { referenceBrier } from '../../rules/edge.ts';
import { vectorsIn } from '../../rules/forecast/forecast.ts';
import { NO_TOTALS, type Totals, totalsAmended } from '../../rules/forecast/mixture.ts';
import { binSums, type BinSums, type ResolvedForecast } from '../../rules/forecast/reliability.ts';
import { addForecastSums, amendForecastSums } from './forecast-sums.ts';

/**
 * Scores the recorded forecasts of a round in the transaction of its decision. After an amendment the totals lose the
 * previous decision's Brier scores and gain the new one's, from now on. An answer is null where the round is void or undecided.
 */
export async function scoreForecasts(
  transaction: SqlEntityManager,
  round: Pick<Round, 'id' | 'choices' | 'questionType' | 'subject'>,
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
  if (recorded.length === 0) return;
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
  await (from === null ? addForecastSums : amendForecastSums)(transaction, round);
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

/** The totals of each score follow from those before it. */
async function insertScores(transaction: SqlEntityManager, judged: readonly ForecastDecision[]): Promise<void> {
  const newest = await totalsSoFar(transaction);
  const scores = judged.map(({ roundId, minute, decidedAt, probabilities, said, before, after }) => {
    const experts = vectorsIn(said, probabilities.length);
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

async function totalsSoFar(transaction: SqlEntityManager): Promise<Map<number, Totals>> {
  const newest = newestTotals(parts.cast<Date>(sql.lit('infinity'), 'timestamptz')).as('totals');
  const { totals } = await transaction.getKysely<DB>().selectNoFrom(newest).executeTakeFirstOrThrow();
  return new Map(totalsByMinute(totals));
}
