import { LRUCache } from 'lru-cache';

import { batcher } from '../batching.ts';
import { withoutDeadline } from '../deadline.ts';
import { rows } from '../reads/sql.ts';
import { GRID_MS, GRID_POINTS } from '../rules/grid.ts';
import { MINUTE } from '../rules/hours.ts';
import { keptEvidence, type ReferenceDeps } from './keep-evidence.ts';
import type { GridPoints } from './round-evidence.ts';

const STEP = MINUTE / GRID_MS;
/** Rounds that are known to lack nothing, or nothing that can be had. */
const KEPT_ROUNDS = 10_000;
const MAX_BATCH = 20;

/** Sees to it that every whole minute of a round has its price, as far as the market's past can be asked. */
export type FillMinutes = (roundId: number, now: Date) => Promise<void>;

/**
 * Stores the prices that resolved rounds lack at whole minutes: of simulated and replayed prices only those are stored as they
 * come that something rests on. Never at the points of predictions and recorded forecasts: what followed from a price that was not known there stays.
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
  const lacking = await rows<GridPoints>(deps.newEm())`
    select r.id as "roundId", json_agg(p.point order by p.point) as points
    from rounds r join reference_bases b on b.round_id = r.id
    cross join lateral (
      select generate_series(0, ${GRID_POINTS - 1}::int, ${STEP}::int) as point
      except select q.point from round_quotes q where q.round_id = r.id
      except select floor(date_part('epoch', t.submitted_at - r.start_time) * 1000 / ${GRID_MS}::int)::int
        from predictions t where t.round_id = r.id
      except select f.minute * ${STEP}::int from round_forecasts f where f.round_id = r.id
    ) p
    where r.id = any(${ids}) and r.status = 'resolved' and r.source = ${deps.market.source}
    group by r.id`;
  const now = new Date(Math.max(...batch.map((one) => one.now.getTime())));
  if (lacking.length > 0) await keptEvidence(deps, lacking, { now, mayKeep: () => true });
  return batch.map(() => true);
}
