import { setImmediate } from 'node:timers/promises';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { insertRows } from '../../entities/given-rows.ts';
import type { Round } from '../../entities/round.ts';
import { readForecastInputs } from '../../forecasts/forecast-inputs.ts';
import type { TallyRow } from '../../rules/crowd.ts';
import { arenaGain, flatMeans, newPools } from '../../rules/forecast/made.ts';
import { joinedByPoint, type PointPredictions } from '../../rules/forecast/said.ts';
import { GRID_POINTS } from '../../rules/grid.ts';
import type { ScoreBasis } from './score-statements.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';

/**
 * Stores the basis of a round's forecast at each grid point, with the records and weights of the rounds decided before it.
 * Returns the gains (`arenaGain`) by point and the tally of its predictions.
 */
export async function storePools(
  transaction: SqlEntityManager,
  round: Round,
  { answer, references, isLarge }: Pick<ScoreBasis, 'answer' | 'references'> & { readonly isLarge: boolean },
): Promise<{ readonly arenaGains: readonly (number | null)[]; readonly tally: readonly TallyRow[] }> {
  const { predictions, totals, decidedUntil } = await withPlannerHint(
    transaction,
    isLarge ? 'hashGroups' : 'keyLookups',
    () => readForecastInputs(transaction, round),
  );
  const { choices } = round;
  const referenceAtPoint = (point: number): readonly number[] | null => references.get(point) ?? null;
  const pools = newPools(choices);
  const parts = joinedByPoint(predictions);
  // Also without predictions: the first point always has a pool.
  pools.add(parts.slice(0, 1), referenceAtPoint);
  for (const part of parts.slice(1)) {
    // Pending events of this process come first.
    await setImmediate();
    pools.add([part], referenceAtPoint);
  }
  const { all } = pools;
  const row = {
    round_id: round.id,
    decided_until: decidedUntil,
    points: all.map(({ point }) => point),
    entries: all.map(({ entries }) => entries),
    unpriced: all.filter(({ known }) => !known).map(({ point }) => point),
    means: all.flatMap(({ means }) => flatMeans(means, choices.length)),
  };
  await insertRows(transaction, 'forecast_pools', [row]);
  const inputs = { choices, pools: all, totals, referenceAtPoint };
  const winner = choices.indexOf(answer);
  return {
    arenaGains: Array.from({ length: GRID_POINTS }, (_, point) => arenaGain(inputs, point, winner)),
    tally: tallyOf(choices, predictions),
  };
}

function tallyOf(choices: readonly string[], predictions: readonly PointPredictions[]): readonly TallyRow[] {
  const alike = predictions.flatMap((one) => one.alike);
  const groups = Map.groupBy(alike, ({ pickIndex, confidence }) => `${pickIndex} ${confidence}`);
  return [...groups.values()].flatMap((group) => {
    const answer = choices[group[0]?.pickIndex ?? -1];
    const n = group.reduce((sum, one) => sum + one.n, 0);
    return answer === undefined ? [] : [{ answer, confidence: group[0]?.confidence ?? 0, n }];
  });
}
