import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { rows } from '../reads/sql.ts';
import { GRID_MS } from '../rules/grid.ts';
import { SECOND } from '../rules/hours.ts';
import type { Checkpoint } from '../rules/forecast/forecast.ts';
import { edgesOf, type Given } from '../rules/forecast/made.ts';
import { NO_TOTALS, type Totals } from '../rules/forecast/mixture.ts';

/** What a forecast rests on beside prices, all of one moment. */
export interface StoredGrounds {
  /** When the newest decision was made that records and totals know of. */
  readonly decidedUntil: Date;
  readonly totals: Totals;
  /** In the order of their ids. */
  readonly given: readonly Given[];
}

/** All predictions of a round so far, and which checkpoint's weights are asked for. */
export interface GroundsAsked {
  readonly roundId: number;
  readonly startTime: Date;
  readonly weightsOf: Checkpoint;
  /** Only predictions with greater ids; 0 for all. */
  readonly afterId?: number;
}

interface GroundsRow {
  readonly decidedUntil: Date;
  readonly totals: Totals | null;
  readonly given: readonly (readonly [number, string, number, number, number, number, number])[] | null;
}

/** One statement, so that nothing is decided in between. */
export async function readGrounds(
  em: SqlEntityManager,
  { roundId, startTime, weightsOf, afterId = 0 }: GroundsAsked,
): Promise<StoredGrounds> {
  const [found] = await rows<GroundsRow>(em)`
    select p.boards_updated_at as "decidedUntil",
      (select to_json(f.totals) from forecast_scores f where f.minute = ${weightsOf} order by f.decided_at desc limit 1)
        as totals,
      (select json_agg(json_build_array(g.id, g.prediction, g.confidence,
          floor(date_part('epoch', g.submitted_at - ${startTime}::timestamptz) / ${GRID_MS / SECOND}::float8)::int,
          coalesce(s.alltime_competitions - s.alltime_without_edge, 0), coalesce(s.alltime_edge_sum, 0)::float8,
          coalesce(s.alltime_edge_square_sum, 0)::float8) order by g.id)
        from predictions g left join standings s on s.agent_id = g.agent_id
        where g.round_id = ${roundId} and g.id > ${afterId}) as given
    from platform p where p.id = 1`;
  if (found === undefined) throw new Error('The platform has no row');
  const given = (found.given ?? []).map(([id, prediction, confidence, at, n, sum, squareSum]) => ({
    id,
    prediction,
    confidence,
    point: at,
    edges: edgesOf({ n, sum, squareSum }),
  }));
  return { decidedUntil: found.decidedUntil, totals: found.totals ?? NO_TOTALS, given };
}
