import type { SqlEntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';

import { Agent } from '../entities/agent.ts';
import { RoundAsset } from '../entities/round-asset.ts';
import { Round } from '../entities/round.ts';
import { Standing } from '../entities/standing.ts';

/** Single rows asked for by many fields of one request, fetched together: one statement a kind. */
export interface Loaders {
  readonly agent: DataLoader<number, Agent>;
  readonly round: DataLoader<number, Round>;
  readonly roundAssets: DataLoader<number, readonly RoundAsset[]>;
  /** By the agent's id; null before its first scored prediction. */
  readonly standing: DataLoader<number, Standing | null>;
}

export function makeLoaders(em: SqlEntityManager): Loaders {
  return {
    agent: byKey(
      async (ids) => em.find(Agent, { id: { $in: ids } }),
      ({ id }) => id,
    ),
    round: byKey(
      async (ids) => em.find(Round, { id: { $in: ids } }),
      ({ id }) => id,
    ),
    roundAssets: new DataLoader(async (ids) => {
      const rows = await em.find(RoundAsset, { roundId: { $in: [...ids] } }, { orderBy: { position: 'asc' } });
      const grouped = Map.groupBy(rows, ({ roundId }) => roundId);
      return ids.map((id) => grouped.get(id) ?? []);
    }),
    standing: new DataLoader(async (ids) => {
      const rows = await em.find(Standing, { agentId: { $in: [...ids] } });
      const found = new Map(rows.map((row) => [row.agentId, row]));
      return ids.map((id) => found.get(id) ?? null);
    }),
  };
}

/** A loader of rows that a foreign key vouches for: a missing one is a fault. */
function byKey<Row extends object>(find: (ids: number[]) => Promise<Row[]>, keyOf: (row: Row) => number) {
  return new DataLoader<number, Row>(async (ids) => {
    const found = new Map((await find([...ids])).map((row) => [keyOf(row), row]));
    return ids.map((id) => found.get(id) ?? new Error(`Row ${id} is missing although a row refers to it`));
  });
}
