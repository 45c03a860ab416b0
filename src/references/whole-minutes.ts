import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import { batcher } from '../batching.ts';
import type { DB } from '../entities/tables.ts';
import { withoutDeadline } from '../deadline.ts';
import { anyOf } from '../reads/fragments.ts';
import { parts, queries } from '../reads/plan/parts.ts';
import { gridPointOf } from './references.ts';
import { GRID_MS, GRID_POINTS } from '../rules/grid.ts';
import { MINUTE } from '../rules/hours.ts';
import { fillEvidence, type ReferenceDeps } from './fill-evidence.ts';

const STEP = MINUTE / GRID_MS;
/** Rounds without missing prices, or whose missing prices are unavailable. */
const KEPT_ROUNDS = 10_000;
const MAX_BATCH = 20;

/** Stores missing prices of a round at whole minutes, where the market has its past. */
export type FillMinutes = (roundId: number, now: Date) => Promise<void>;

/**
 * Stores the prices that resolved rounds lack at whole minutes: simulated and replayed prices are stored only where something
 * needs them. Points of predictions and recorded forecasts are left out: figures that followed without a price there stay.
 */
export function minuteFilling(deps: ReferenceDeps): FillMinutes {
  const filled = new LRUCache<number, true>({ max: KEPT_ROUNDS });
  const { add } = batcher<{ readonly roundId: number; readonly now: Date }, true>({
    inFlight: 1,
    max: MAX_BATCH,
    run: (batch) => withoutDeadline(() => fillTogether(deps, batch)),
  });
  return async (roundId, now) => {
    if (deps.market.isLive || filled.has(roundId)) return;
    filled.set(roundId, await add({ roundId, now }));
  };
}

async function fillTogether(
  deps: ReferenceDeps,
  batch: readonly { readonly roundId: number; readonly now: Date }[],
): Promise<readonly true[]> {
  const ids = [...new Set(batch.map(({ roundId }) => roundId))];
  const points = parts.fn<number>('generate_series', [sql.lit(0), sql.lit(GRID_POINTS - 1), sql.lit(STEP)]);
  const lacking = await deps
    .newEm()
    .getKysely<DB>()
    .selectFrom('rounds as r')
    .innerJoin('reference_bases as b', 'b.round_id', 'r.id')
    .innerJoinLateral(
      (of) =>
        queries
          .selectNoFrom(points.as('point'))
          .except(of.selectFrom('round_quotes as q').select('q.point').whereRef('q.round_id', '=', 'r.id'))
          .except(
            of
              .selectFrom('predictions as t')
              .select((t) => gridPointOf(t.ref('t.submitted_at'), t.ref('r.start_time')).as('point'))
              .whereRef('t.round_id', '=', 'r.id'),
          )
          .except(
            of
              .selectFrom('round_forecasts as f')
              .select((f) => f(f.cast<number>('f.minute', 'integer'), '*', STEP).as('point'))
              .whereRef('f.round_id', '=', 'r.id'),
          )
          .as('p'),
      (on) => on.onTrue(),
    )
    .select(({ fn }) => ['r.id as roundId', fn.agg<number[]>('json_agg', ['p.point']).orderBy('p.point').as('points')])
    .where('r.id', '=', anyOf(ids))
    .where('r.status', '=', 'resolved')
    .where('r.source', '=', deps.market.source)
    .groupBy('r.id')
    .execute();
  const now = new Date(Math.max(...batch.map((one) => one.now.getTime())));
  if (lacking.length > 0) await fillEvidence(deps, lacking, { now, mayFill: () => true });
  return batch.map(() => true);
}
