import type { PredictionsExportRow } from '../reference.ts';
import { INTERVAL_MIN_ROUNDS } from '../rules.ts';
import type { Backtest } from './backtest.ts';

/** A rank from 1 among others and the agent. */
export interface Place {
  readonly place: number;
  readonly of: number;
}

/** The agent's ranks among those that really answered the same rounds. */
export interface Rank {
  readonly points: Place;
  readonly pnl: Place;
  /** By the mean, among agents with at least 20 edges; null if this one has fewer. */
  readonly edge: Place | null;
}

type Row = Pick<PredictionsExportRow, 'agent_id' | 'score' | 'streak_bonus' | 'pnl_usd' | 'edge'>;

/** Uses the scored predictions of others in the result's rounds. */
export async function rankAmong(
  result: Pick<Backtest, 'points' | 'pnl_usd' | 'edge'>,
  predictions: AsyncIterable<Row> | Iterable<Row>,
): Promise<Rank> {
  const agents = new Map<number, { points: number; pnl: number; edges: number; edgeSum: number }>();
  for await (const { agent_id: id, score, streak_bonus: bonus, pnl_usd: pnl, edge } of predictions) {
    if (id === null || score === null) continue;
    const sums = agents.get(id) ?? { points: 0, pnl: 0, edges: 0, edgeSum: 0 };
    sums.points += score + (bonus ?? 0);
    sums.pnl += Math.round(100 * (pnl ?? 0));
    sums.edges += edge === null ? 0 : 1;
    sums.edgeSum += edge ?? 0;
    agents.set(id, sums);
  }
  const others = [...agents.values()];
  const means = others.flatMap(({ edges, edgeSum }) => (edges < INTERVAL_MIN_ROUNDS ? [] : [edgeSum / edges]));
  return {
    points: placeOf(
      result.points,
      others.map(({ points }) => points),
    ),
    pnl: placeOf(
      Math.round(100 * result.pnl_usd),
      others.map(({ pnl }) => pnl),
    ),
    edge: result.edge === null ? null : placeOf(result.edge.mean, means),
  };
}

function placeOf(own: number, figures: readonly number[]): Place {
  return { place: 1 + figures.filter((figure) => figure > own).length, of: figures.length + 1 };
}
