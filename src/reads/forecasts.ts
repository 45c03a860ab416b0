import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';

import type { RoundForecast } from '../entities/forecasts.ts';
import type { DB, Row } from '../entities/tables.ts';
import { CHECKPOINTS, type Checkpoint } from '../rules/forecast/forecast.ts';
import { meansIn, type Pool } from '../rules/forecast/made.ts';
import { EXPERTS, NO_TOTALS, type Totals } from '../rules/forecast/mixture.ts';
import { binSums, type BinSums } from '../rules/forecast/reliability.ts';
import type { Sums } from '../rules/statistics/means.ts';
import type { Period } from '../rules/windows.ts';
import { type Aliased, anyOf } from './fragments.ts';
import type { RoundRow } from './plan/round.ts';
import { type WindowRounds, windowRounds } from './rounds.ts';
import { IN_FORCE } from './scores.ts';

/** A recorded forecast with its Brier scores, null until its round is resolved. */
export interface RecordedForecast extends RoundForecast {
  readonly brier: number | null;
  readonly expertBriers: readonly number[] | null;
}

type Lists = {
  readonly f: 'round_forecasts';
  readonly s: 'forecast_scores';
  readonly g: 'forecast_pools';
};

type Tables = Aliased<Lists & { r: 'rounds' }> & { readonly w: { readonly choice_count: number } };

const is = expressionBuilder<Tables, 'f' | 's' | 'g' | 'r' | 'w'>();

/** A list as JSON, which is parsed faster than an array of PostgreSQL. */
export function json<Table extends keyof Lists, Name extends keyof Row<Lists[Table]> & string>(
  table: Table,
  name: Name,
) {
  return is.fn<Row<Lists[Table]>[Name]>('to_json', [sql.ref(`${table}.${name}`)]);
}

/** The recorded forecasts of these rounds, by round and minute. */
export async function recordedForecasts(
  em: SqlEntityManager,
  rounds: readonly number[],
): Promise<readonly RecordedForecast[]> {
  return em
    .getKysely<DB>()
    .selectFrom('round_forecasts as f')
    .leftJoin('forecast_scores as s', (on) =>
      on.onRef('s.round_id', '=', 'f.round_id').onRef('s.minute', '=', 'f.minute').on(IN_FORCE),
    )
    .where('f.round_id', '=', anyOf(rounds))
    .orderBy('f.round_id')
    .orderBy('f.minute')
    .select(['f.round_id as roundId', 'f.minute', 'f.recorded_at as recordedAt', 'f.entries'])
    .select(['f.decided_until as decidedUntil', json('f', 'unpriced').as('unpriced')])
    .select([json('f', 'probabilities').as('probabilities'), json('f', 'said').as('said')])
    .select([json('f', 'weights').as('weights'), 's.brier', json('s', 'expert_briers').as('expertBriers')])
    .execute();
}

/** The inputs of a round's forecast at any point of its hour, beside the price; null until it is resolved. */
export async function storedPools(em: SqlEntityManager, { id, choices }: Pick<RoundRow, 'id' | 'choices'>) {
  const found = await em
    .getKysely<DB>()
    .selectFrom('forecast_pools as g')
    .where('g.round_id', '=', id)
    .select(['g.decided_until as decidedUntil', json('g', 'points').as('points'), json('g', 'entries').as('entries')])
    .select([json('g', 'unpriced').as('unpriced'), json('g', 'means').as('means')])
    .select(newestTotals(is.ref('g.decided_until')).as('totals'))
    .executeTakeFirst();
  if (found === undefined) return null;
  const means = meansIn(found.means, choices.length);
  const pools = found.points.flatMap((point, rank): readonly Pool[] => {
    const [own, entries] = [means[rank], found.entries[rank] ?? 0];
    return own === undefined ? [] : [{ point, entries, known: !found.unpriced.includes(point), means: own }];
  });
  return { decidedUntil: found.decidedUntil, pools, totals: totalsByMinute(found.totals) };
}

/** The totals of each checkpoint after the last decision until then, as a list in their order; null before any. */
export function newestTotals(until: Expression<Date>): RawBuilder<readonly (Totals | null)[]> {
  const newest = is
    .selectFrom('forecast_scores as s')
    .where('s.minute', '=', sql<number>`m.minute`)
    .where('s.decided_at', '<=', until)
    .orderBy('s.decided_at', 'desc')
    .limit(is.lit(1))
    .select(json('s', 'totals').as('totals'));
  return sql`(select json_agg(${newest} order by m.place)
    from unnest(${CHECKPOINTS}::int[]) with ordinality as m(minute, place))`;
}

export function totalsByMinute(totals: readonly (Totals | null)[]): ReadonlyMap<Checkpoint, Totals> {
  return new Map(CHECKPOINTS.map((minute, place) => [minute, totals[place] ?? NO_TOTALS]));
}

/** Sums of a checkpoint's forecasts over resolved rounds. */
export interface CheckpointSums {
  readonly minute: Checkpoint;
  readonly rounds: number;
  readonly brier: number;
  /** In the order of `EXPERTS`. */
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

/** The Brier score of even odds, 1 / k for each of the k answers of a round `w`. */
const COIN_BRIER = sql<number>`(1 - 1 / ${is.ref('w.choice_count')}::float8)`;

/** A sum in the order of decisions, so that every process gets the same bits. */
function inOrder(figure: Expression<number>) {
  return is.fn.sum<number>(figure).orderBy('s.decided_at');
}

function expertBrier(rank: number) {
  return sql<number>`${is.ref('s.expert_briers')}[${sql.lit(rank + 1)}]`;
}

/** The sums of the price's Brier score minus another. */
function edgeOf(brier: Expression<number>) {
  const edge = is.parens(is(expertBrier(0), '-', brier));
  const squareSum = inOrder(is(edge, '*', edge));
  return jsonBuildObject({ n: is.fn.countAll<number>(), sum: inOrder(edge), squareSum });
}

/** A row for each checkpoint; zeros where no such round has a forecast. */
export async function forecastSums(em: SqlEntityManager, asked: WindowRounds): Promise<readonly CheckpointSums[]> {
  const experts = EXPERTS.map((_, rank) => inOrder(expertBrier(rank)));
  const found = await em
    .getKysely<DB>()
    .selectFrom('forecast_scores as s')
    .innerJoin(windowRounds(asked).as('w'), 'w.id', 's.round_id')
    .where(IN_FORCE)
    .groupBy('s.minute')
    .select(['s.minute', is.fn.countAll<number>().as('rounds'), inOrder(is.ref('s.brier')).as('brier')])
    .select([is.fn<number[]>('json_build_array', experts).as('expertBriers'), inOrder(COIN_BRIER).as('coinBrier')])
    .select([edgeOf(is.ref('s.brier')).as('edge'), edgeOf(expertBrier(1)).as('crowdEdge')])
    .select(edgeOf(COIN_BRIER).as('coinEdge'))
    .execute();
  return CHECKPOINTS.map((minute) => ({ ...NO_SUMS, ...found.find((row) => row.minute === minute), minute }));
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

const WINNER = is
  .selectFrom(
    sql<{ choice: string; place: number }>`jsonb_array_elements_text(${is.ref('r.choices')}) with ordinality`.as<'c'>(
      sql`c(choice, place)`,
    ),
  )
  .whereRef('c.choice', '=', 'r.outcome')
  .select((of) => of(of.cast<number>('c.place', 'integer'), '-', of.lit(1)).as('winner'));

/** A recorded forecast `f` of a resolved round `r`, as `Resolved` of rules/forecast/reliability.ts has it. */
export const RESOLVED_COLUMNS = [
  is.ref('f.minute').as('minute'),
  is.ref('f.entries').as('entries'),
  json('f', 'probabilities').as('probabilities'),
  json('f', 'said').as('said'),
  WINNER.$asScalar().$notNull().as('winner'),
] as const;

/** Counts of probabilities and outcomes. They are stored for all time, and summed from the rounds for a shorter window. */
export async function reliabilitySums(em: SqlEntityManager, window: Period): Promise<readonly BinSums[]> {
  const tables = em.getKysely<DB>();
  if (window === 'alltime') return tables.selectFrom('forecast_reliability').selectAll().execute();
  const resolved = await tables
    .selectFrom('forecast_scores as s')
    .innerJoin(windowRounds({ window, questionType: null, asset: null }).as('w'), 'w.id', 's.round_id')
    .innerJoin('rounds as r', 'r.id', 's.round_id')
    .innerJoin('round_forecasts as f', (on) =>
      on.onRef('f.round_id', '=', 's.round_id').onRef('f.minute', '=', 's.minute'),
    )
    .where(IN_FORCE)
    .select(RESOLVED_COLUMNS)
    .execute();
  return binSums(resolved);
}
