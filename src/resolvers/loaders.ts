import type { SqlEntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';

import { AgreedCandle } from '../entities/agreed-candle.ts';
import { Candle } from '../entities/candle.ts';
import { RoundAsset } from '../entities/round-asset.ts';
import { Round } from '../entities/round.ts';
import type { Calibration } from '../rules/calibration.ts';
import type { Period } from '../rules/windows.ts';
import { agentsById, type AgentRow } from './agent-rows.ts';
import { calibrationsOf } from './calibration.ts';
import { type CrowdCount, crowdCounts } from './crowds.ts';
import { historiesOf, type HistoryAsked, type HistoryPoint } from './histories.ts';
import { loaderByArguments, type LoaderByArguments } from './loader-by-arguments.ts';
import { pagesOfAgents, pagesOfRounds, type PredictionPage } from './prediction-pages.ts';
import type { PredictionRow } from './prediction-rows.ts';
import { ranksOf } from './ranks.ts';
import { placedEntries, type PlacedEntry, type Slice, slicesOf } from './round-predictions.ts';
import type { AgentPredictionsArgs, RoundPredictionsArgs } from './schema-types.ts';
import type { WindowRounds } from './window-rounds.ts';

/** What many fields of one request ask for, fetched together: one statement a kind and arguments. */
export interface Loaders {
  /** With the standing. */
  readonly agent: DataLoader<number, AgentRow>;
  readonly round: DataLoader<number, Round>;
  readonly roundAssets: DataLoader<number, readonly RoundAsset[]>;
  readonly evidence: DataLoader<number, readonly Candle[]>;
  readonly agreedCandles: DataLoader<number, readonly AgreedCandle[]>;
  readonly crowd: DataLoader<number, readonly CrowdCount[]>;
  /** By the prediction's id; null when there is no scored one. */
  readonly placedEntry: DataLoader<number, PlacedEntry | null>;
  readonly predictionSlice: LoaderByArguments<Slice, readonly PredictionRow[]>;
  readonly roundPredictions: LoaderByArguments<Partial<RoundPredictionsArgs>, PredictionPage>;
  readonly agentPredictions: LoaderByArguments<Partial<AgentPredictionsArgs>, PredictionPage>;
  readonly calibration: LoaderByArguments<WindowRounds, Calibration>;
  readonly history: LoaderByArguments<HistoryAsked, readonly HistoryPoint[]>;
  readonly rank: LoaderByArguments<{ readonly period: Period }, number | null>;
}

export function makeLoaders(em: SqlEntityManager): Loaders {
  return {
    agent: byKey(
      (ids) => agentsById(em, ids),
      ({ id }) => id,
    ),
    round: byKey(
      (ids) => em.find(Round, { id: { $in: [...ids] } }),
      ({ id }) => id,
    ),
    roundAssets: manyByRound((ids) => em.find(RoundAsset, { roundId: { $in: [...ids] } }, BY_POSITION)),
    evidence: manyByRound((ids) => em.find(Candle, { roundId: { $in: [...ids] } }, BY_HOUR)),
    agreedCandles: manyByRound((ids) => em.find(AgreedCandle, { roundId: { $in: [...ids] } }, BY_ASSET)),
    crowd: manyByRound((ids) => crowdCounts(em, ids)),
    placedEntry: new DataLoader(async (ids) => {
      const found = new Map((await placedEntries(em, ids)).map((row) => [row.id, row]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    predictionSlice: loaderByArguments((slice, rounds) => slicesOf(em, slice, rounds)),
    roundPredictions: loaderByArguments((args, rounds) => pagesOfRounds(em, args, rounds)),
    agentPredictions: loaderByArguments((args, agents) => pagesOfAgents(em, args, agents)),
    calibration: loaderByArguments((asked, agents) => calibrationsOf(em, asked, agents)),
    history: loaderByArguments((asked, agents) => historiesOf(em, asked, agents)),
    rank: loaderByArguments((asked, agents) => ranksOf(em, asked, agents)),
  };
}

const BY_POSITION = { orderBy: { position: 'asc' } } as const;
const BY_ASSET = { orderBy: { hourStart: 'asc', asset: 'asc' } } as const;
const BY_HOUR = { orderBy: { hourStart: 'asc', asset: 'asc', source: 'asc' } } as const;

/** A loader of rows that a foreign key vouches for: a missing one is a fault. */
function byKey<Row extends object>(
  find: (ids: readonly number[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => number,
) {
  return new DataLoader<number, Row>(async (ids) => {
    const found = new Map((await find(ids)).map((row) => [keyOf(row), row]));
    return ids.map((id) => found.get(id) ?? new Error(`Row ${id} is missing although a row refers to it`));
  });
}

/** A loader of the rows that belong to a round. */
function manyByRound<Row extends { readonly roundId: number }>(
  find: (ids: readonly number[]) => Promise<readonly Row[]>,
) {
  return new DataLoader<number, readonly Row[]>(async (ids) => {
    const found = Map.groupBy(await find(ids), ({ roundId }) => roundId);
    return ids.map((id) => found.get(id) ?? []);
  });
}
