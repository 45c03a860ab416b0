import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { ForecastPools, RoundForecast } from '../entities/forecasts.ts';
import type { DB } from '../entities/tables.ts';
import { CHECKPOINTS, type Checkpoint } from '../rules/forecast/forecast.ts';
import { meansIn, type Pool } from '../rules/forecast/made.ts';
import { EXPERTS, NO_TOTALS, type Totals } from '../rules/forecast/mixture.ts';
import { binSums, type BinSums, type Resolved } from '../rules/forecast/reliability.ts';
import type { Sums } from '../rules/statistics/means.ts';
import type { Period } from '../rules/windows.ts';
import type { RoundRow } from './plan/round.ts';
import { type WindowRounds, windowRounds } from './rounds.ts';
import { rows } from './sql.ts';
import { IN_FORCE } from './scores.ts';

/** A forecast as it was recorded, and how good it was; null until its round is resolved. */
export interface RecordedForecast extends RoundForecast {
  readonly brier: number | null;
  readonly expertBriers: readonly number[] | null;
}

/** The recorded forecasts of these rounds, each round's in the order of time. */
export async function recordedForecasts(
  em: SqlEntityManager,
  rounds: readonly number[],
): Promise<readonly RecordedForecast[]> {
  return rows<RecordedForecast>(em)`
    select f.round_id as "roundId", f.minute, f.recorded_at as "recordedAt", f.entries, f.decided_until as "decidedUntil",
      to_json(f.unpriced) as unpriced, to_json(f.probabilities) as probabilities, to_json(f.said) as said,
      to_json(f.weights) as weights, s.brier, to_json(s.expert_briers) as "expertBriers"
    from round_forecasts f left join forecast_scores s on s.round_id = f.round_id and s.minute = f.minute and ${IN_FORCE}
    where f.round_id = any(${[...rounds]}) order by f.round_id, f.minute`;
}

interface PoolsRow extends Omit<ForecastPools, 'roundId'> {
  readonly totals: readonly (Totals | null)[];
}

/** What the forecast of a round follows from at any point of its hour beside the price there; null until it is resolved. */
export async function storedPools(em: SqlEntityManager, { id, choices }: Pick<RoundRow, 'id' | 'choices'>) {
  const [found] = await rows<PoolsRow>(em)`
    select f.decided_until as "decidedUntil", to_json(f.points) as points, to_json(f.entries) as entries,
      to_json(f.unpriced) as unpriced, to_json(f.means) as means, ${newestTotals(sql`f.decided_until`)} as totals
    from forecast_pools f where f.round_id = ${id}`;
  if (found === undefined) return null;
  const means = meansIn(found.means, choices.length);
  const pools = found.points.flatMap((point, place): readonly Pool[] => {
    const [own, entries] = [means[place], found.entries[place] ?? 0];
    return own === undefined ? [] : [{ point, entries, known: !found.unpriced.includes(point), means: own }];
  });
  return { decidedUntil: found.decidedUntil, pools, totals: totalsByMinute(found.totals) };
}

/** The totals of each checkpoint after the last decision until then, as a list in their order; null before any. */
export function newestTotals(until: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select json_agg((
      select to_json(s.totals) from forecast_scores s where s.minute = m.minute and s.decided_at <= ${until}
      order by s.decided_at desc limit 1
    ) order by m.place) from unnest(${[...CHECKPOINTS]}::int[]) with ordinality as m(minute, place))`;
}

export function totalsByMinute(totals: readonly (Totals | null)[]): ReadonlyMap<Checkpoint, Totals> {
  return new Map(CHECKPOINTS.map((minute, place) => [minute, totals[place] ?? NO_TOTALS]));
}

/** What the forecasts of a checkpoint come to over resolved rounds. */
export interface CheckpointSums {
  readonly minute: Checkpoint;
  readonly rounds: number;
  readonly brier: number;
  /** Of each expert, in the order of `EXPERTS`. */
  readonly expertBriers: readonly number[];
  readonly coinBrier: number;
  /** The price's Brier score - the forecast's. */
  readonly edge: Sums;
  /** The price's - that of the plain mean. */
  readonly crowdEdge: Sums;
  /** The price's - that of even odds. */
  readonly coinEdge: Sums;
}

/** The same as a record shows it: the bins of all checkpoints are read once, where any is selected. */
export interface CheckpointRecord extends CheckpointSums {
  readonly bins: () => Promise<readonly BinSums[]>;
}

/** Of a score `s` of a forecast in a round `w`: even odds, 1 / k for each of k answers. */
const COIN_BRIER = sql`(1 - 1 / w.choice_count::float8)`;

/** Added up in the order of decisions, so that anybody gets the same bits. */
function inOrder(figure: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`sum(${figure} order by s.decided_at)`;
}

/** The sums of the price's Brier score - another. */
function edgeOf(brier: RawBuilder<unknown>): RawBuilder<unknown> {
  const edge = sql`(s.expert_briers[1] - ${brier})`;
  return sql`json_build_object('n', count(*), 'sum', ${inOrder(edge)}, 'squareSum', ${inOrder(sql`${edge} * ${edge}`)})`;
}

/** A row for each checkpoint, also where no such round has one recorded. */
export async function forecastSums(em: SqlEntityManager, asked: WindowRounds): Promise<readonly CheckpointSums[]> {
  const experts = EXPERTS.map((_, place) => inOrder(sql`s.expert_briers[${place + 1}::int]`));
  const found = await rows<CheckpointSums>(em)`
    select s.minute, count(*)::int as rounds, ${inOrder(sql`s.brier`)} as brier,
      json_build_array(${sql.join(experts)}) as "expertBriers", ${inOrder(COIN_BRIER)} as "coinBrier",
      ${edgeOf(sql`s.brier`)} as edge, ${edgeOf(sql`s.expert_briers[2]`)} as "crowdEdge", ${edgeOf(COIN_BRIER)} as "coinEdge"
    from forecast_scores s join ${windowRounds(asked)} w on w.id = s.round_id where ${IN_FORCE}
    group by s.minute`;
  return CHECKPOINTS.map((minute) => found.find((row) => row.minute === minute) ?? { ...NO_SUMS, minute });
}

const NONE: Sums = { n: 0, sum: 0, squareSum: 0 };

const NO_SUMS: Omit<CheckpointSums, 'minute'> = {
  rounds: 0,
  brier: 0,
  expertBriers: EXPERTS.map(() => 0),
  coinBrier: 0,
  edge: NONE,
  crowdEdge: NONE,
  coinEdge: NONE,
};

/** A recorded forecast `f` of a resolved round `r`, as `Resolved` of rules/forecast/reliability.ts has it. */
export const RESOLVED = sql`f.minute, f.entries, to_json(f.probabilities) as probabilities, to_json(f.said) as said,
  (select place::int - 1 from jsonb_array_elements_text(r.choices) with ordinality as c(choice, place)
    where c.choice = r.outcome) as winner`;

/** How often what was called likely has happened: over all time as it is kept, in a shorter window added up of its rounds. */
export async function reliabilitySums(em: SqlEntityManager, window: Period): Promise<readonly BinSums[]> {
  if (window === 'alltime') return em.getKysely<DB>().selectFrom('forecast_reliability').selectAll().execute();
  const resolved = await rows<Resolved>(em)`
    select ${RESOLVED} from forecast_scores s
    join ${windowRounds({ window, questionType: null, asset: null })} w on w.id = s.round_id
    join rounds r on r.id = s.round_id join round_forecasts f on f.round_id = s.round_id and f.minute = s.minute
    where ${IN_FORCE}`;
  return binSums(resolved);
}
