import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { RESOLVED } from '../reads/forecasts.ts';
import { rows } from '../reads/sql.ts';
import { referenceBrier } from '../rules/edge.ts';
import { expertsIn } from '../rules/forecast/forecast.ts';
import { NO_TOTALS, type Totals, totalsAfter } from '../rules/forecast/mixture.ts';
import { binSums, type Resolved } from '../rules/forecast/reliability.ts';
import { lockResolutions } from './round-statements.ts';

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
  const newest = await newestTotals(transaction);
  const scores = unscored.map(({ roundId, minute, decidedAt, winner, probabilities, said }) => {
    const experts = expertsIn(said, probabilities.length);
    const totals = totalsAfter(newest.get(minute) ?? NO_TOTALS, experts, winner);
    newest.set(minute, totals);
    const expertBriers = experts.map((vector) => referenceBrier(vector, winner));
    return { roundId, minute, decidedAt, brier: referenceBrier(probabilities, winner), expertBriers, totals };
  });
  await sql`
    insert into forecast_scores (round_id, minute, decided_at, brier, expert_briers, totals)
    select s."roundId", s.minute, s."decidedAt", s.brier, s."expertBriers", s.totals
    from jsonb_to_recordset(${JSON.stringify(scores)}::jsonb) as s("roundId" int, minute smallint, "decidedAt" timestamptz,
      brier float8, "expertBriers" float8[], totals float8[])`.execute(transaction.getKysely());
  await sql`
    insert into forecast_reliability as t (minute, judged, bin, n, hits, sum)
    select * from jsonb_to_recordset(${JSON.stringify(binSums(unscored))}::jsonb) as b(minute smallint, judged text, bin smallint,
      n int, hits int, sum bigint)
    on conflict (minute, judged, bin)
      do update set n = t.n + excluded.n, hits = t.hits + excluded.hits, sum = t.sum + excluded.sum`.execute(
    transaction.getKysely(),
  );
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
