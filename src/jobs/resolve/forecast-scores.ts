import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { RESOLVED } from '../../reads/forecasts.ts';
import { rows } from '../../reads/sql.ts';
import { referenceBrier } from '../../rules/edge.ts';
import { expertsIn } from '../../rules/forecast/forecast.ts';
import { NO_TOTALS, type Totals, totalsAmended } from '../../rules/forecast/mixture.ts';
import { binSums, type BinSums, type Resolved } from '../../rules/forecast/reliability.ts';
import { lockResolutions } from '../ledger/locks.ts';

interface Unscored extends Resolved {
  readonly roundId: number;
  readonly decidedAt: Date;
}

/** Recorded forecasts `f` of resolved rounds `r` that were decided after all that are scored. */
const UNSCORED = sql`rounds r join round_forecasts f on f.round_id = r.id and r.status = 'resolved'
  and r.decided_at > coalesce((select max(decided_at) from forecast_scores), '-infinity')`;

/**
 * Scores the recorded forecasts of rounds that are resolved, in the order of the decisions. Each resolution does so for its
 * own round in its transaction, which lets one in at a time; that of a version that knows no forecasts leaves them to the next.
 */
export async function scoreForecasts(transaction: SqlEntityManager): Promise<void> {
  const unscored = await rows<Unscored>(transaction)`
    select f.round_id as "roundId", r.decided_at as "decidedAt", ${RESOLVED} from ${UNSCORED} order by r.decided_at, f.minute`;
  if (unscored.length === 0) return;
  await insertScores(
    transaction,
    unscored.map((one) => ({ ...one, before: null, after: one.winner })),
  );
  await addToBins(transaction, binSums(unscored));
}

/** A recorded forecast, and who had won its round before the decision of this time and has since; null: nobody. */
interface Judged extends Omit<Unscored, 'entries' | 'winner'> {
  readonly before: number | null;
  readonly after: number | null;
}

/** Scores these, in the order of the decisions: the totals of each follow from those before it. */
async function insertScores(transaction: SqlEntityManager, judged: readonly Judged[]): Promise<void> {
  const newest = await newestTotals(transaction);
  const scores = judged.map(({ roundId, minute, decidedAt, probabilities, said, before, after }) => {
    const experts = expertsIn(said, probabilities.length);
    const brierOf = (vector: readonly number[]): number => (after === null ? 0 : referenceBrier(vector, after));
    const totals = totalsAmended(newest.get(minute) ?? NO_TOTALS, experts, { before, after });
    newest.set(minute, totals);
    return { roundId, minute, decidedAt, brier: brierOf(probabilities), expertBriers: experts.map(brierOf), totals };
  });
  await rows(transaction)`
    insert into forecast_scores (round_id, minute, decided_at, brier, expert_briers, totals)
    select s."roundId", s.minute, s."decidedAt", s.brier, s."expertBriers", s.totals
    from jsonb_to_recordset(${JSON.stringify(scores)}::jsonb) as s("roundId" int, minute smallint, "decidedAt" timestamptz,
      brier float8, "expertBriers" float8[], totals float8[])`;
}

/** Adds to what is kept of each tenth; what is below 0 is taken away, and a tenth of which nothing is left goes. */
async function addToBins(transaction: SqlEntityManager, bins: readonly BinSums[]): Promise<void> {
  await rows(transaction)`
    with added as (
      select * from jsonb_to_recordset(${JSON.stringify(bins)}::jsonb)
        as b(minute smallint, judged text, bin smallint, n int, hits int, sum bigint)
    ), kept as (
      delete from forecast_reliability t using (select distinct minute, judged, bin from added) b
      where (t.minute, t.judged, t.bin) = (b.minute, b.judged, b.bin) returning t.*
    )
    insert into forecast_reliability (minute, judged, bin, n, hits, sum)
    select minute, judged, bin, sum(n), sum(hits), sum(sum) from (
      select minute, judged, bin, n, hits, sum from kept union all select * from added
    ) b group by 1, 2, 3 having sum(n) > 0`;
}

/**
 * Scores the recorded forecasts of a round once more, whose answer (null: none, it is void) an amendment has replaced: the totals lose what
 * the first decision added and gain what the second one does, from now on.
 */
export async function amendForecasts(
  transaction: SqlEntityManager,
  { id: roundId, choices }: { readonly id: number; readonly choices: readonly string[] },
  { from, to, at }: { readonly from: string | null; readonly to: string | null; readonly at: Date },
): Promise<void> {
  const recorded = await rows<Omit<Resolved, 'winner'>>(transaction)`
    select f.minute, f.entries, to_json(f.probabilities) as probabilities, to_json(f.said) as said
    from round_forecasts f where f.round_id = ${roundId}`;
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
}

/** The same where a resolution has left it, apart from one. */
export async function makeUpForScores(newEm: () => SqlEntityManager): Promise<void> {
  const [found] = await rows<{ readonly isLeft: boolean }>(newEm())`
    select exists (select from ${UNSCORED}) as "isLeft"`;
  if (found?.isLeft !== true) return;
  await newEm().transactional(async (transaction) => {
    await lockResolutions(transaction);
    await scoreForecasts(transaction);
  });
}

async function newestTotals(transaction: SqlEntityManager): Promise<Map<number, Totals>> {
  const found = await rows<{ readonly minute: number; readonly totals: Totals }>(transaction)`
    select m.minute, (
      select to_json(totals) from forecast_scores s where s.minute = m.minute order by s.decided_at desc limit 1) as totals
    from (select distinct minute from forecast_scores) m`;
  return new Map(found.map(({ minute, totals }) => [minute, totals]));
}
