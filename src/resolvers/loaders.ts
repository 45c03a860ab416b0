import DataLoader from 'dataloader';

import type { Read } from '../database/reads.ts';
import { AgreedCandle, Candle } from '../entities/candles.ts';
import { RoundQuote } from '../entities/references.ts';
import { Round, RoundAsset } from '../entities/round.ts';
import type { RankCertainty } from '../entities/ordered-board.ts';
import { ranksOf, rankCertaintiesOf } from '../reads/board.ts';
import {
  type AgentPredictionsRequest,
  pagesOfAgents,
  pagesOfRounds,
  type PredictionPage,
  type RoundPredictionsRequest,
  type Slice,
  slicesOf,
} from '../reads/prediction-pages.ts';
import { placedEntries, type PlacedEntry, type PredictionRow } from '../reads/predictions.ts';
import { type AgentRow, agentsById } from '../reads/agents.ts';
import { calibrationsOf } from '../reads/calibration.ts';
import { type CrowdCount, decidedCounts, decidedMinutes, type MinuteCount } from '../reads/crowd.ts';
import type { OpenCount, OpenCrowds, RoundState } from '../reads/open-crowds.ts';
import {
  type ChartPoint,
  edgeHistoriesOf,
  historiesOf,
  type HistoryRequest,
  type HistorySums,
  roundEnds,
} from '../reads/histories.ts';
import type { WindowRounds } from '../reads/rounds.ts';
import type { Calibration } from '../rules/calibration.ts';

import type { Period } from '../rules/windows.ts';

/** What many fields of one request ask for, fetched together: one statement a kind and arguments. */
export interface Loaders {
  /** With the standing. */
  readonly agent: DataLoader<number, AgentRow>;
  readonly round: DataLoader<number, Round>;
  /** Null where the round was removed, while the event log still has it. */
  readonly roundOfEvent: DataLoader<number, Round | null>;
  /** When a round that has scores ends. */
  readonly roundEnd: DataLoader<number, Date>;
  readonly roundAssets: DataLoader<number, readonly RoundAsset[]>;
  readonly evidence: DataLoader<number, readonly Candle[]>;
  readonly agreedCandles: DataLoader<number, readonly AgreedCandle[]>;
  readonly quotes: DataLoader<number, readonly RoundQuote[]>;
  readonly decidedCrowd: DataLoader<number, readonly CrowdCount[]>;
  /** Of the state in which a round was read. */
  readonly openCrowd: DataLoader<RoundState, readonly OpenCount[], string>;
  readonly decidedMinutes: DataLoader<number, readonly MinuteCount[]>;
  /** By the prediction's id; null when there is no scored one. */
  readonly placedEntry: DataLoader<number, PlacedEntry | null>;
  readonly predictionSlice: LoaderByArguments<Slice, readonly PredictionRow[]>;
  readonly roundPredictions: LoaderByArguments<RoundPredictionsRequest, PredictionPage>;
  readonly agentPredictions: LoaderByArguments<AgentPredictionsRequest, PredictionPage>;
  readonly calibration: LoaderByArguments<WindowRounds, Calibration>;
  readonly history: LoaderByArguments<HistoryRequest, readonly HistorySums[]>;
  readonly edgeHistory: LoaderByArguments<HistoryRequest, readonly ChartPoint[]>;
  readonly rank: LoaderByArguments<{ readonly period: Period }, number | null>;
  /** How sure a place on a board by points is. */
  readonly rankCertainty: LoaderByArguments<{ readonly period: Period }, RankCertainty | null>;
}

export function makeLoaders(read: Read, openCrowds: OpenCrowds): Loaders {
  return {
    agent: byKey(
      (ids) => read((em) => agentsById(em, ids)),
      ({ id }) => id,
    ),
    round: byKey(
      (ids) => read((em) => em.find(Round, { id: { $in: [...ids] } })),
      ({ id }) => id,
    ),
    roundOfEvent: new DataLoader(async (ids) => {
      const found = new Map(
        (await read((em) => em.find(Round, { id: { $in: [...ids] } }))).map((row) => [row.id, row]),
      );
      return ids.map((id) => found.get(id) ?? null);
    }),
    roundEnd: new DataLoader((ids) => read((em) => roundEnds(em, ids))),
    roundAssets: manyByRound((ids) => read((em) => em.find(RoundAsset, { roundId: { $in: [...ids] } }, BY_POSITION))),
    evidence: manyByRound((ids) => read((em) => em.find(Candle, { roundId: { $in: [...ids] } }, BY_HOUR))),
    agreedCandles: manyByRound((ids) => read((em) => em.find(AgreedCandle, { roundId: { $in: [...ids] } }, BY_ASSET))),
    quotes: manyByRound((ids) => read((em) => em.find(RoundQuote, { roundId: { $in: [...ids] } }, BY_POINT))),
    decidedCrowd: manyByRound((ids) => read((em) => decidedCounts(em, ids))),
    openCrowd: new DataLoader(openCrowds, { cacheKeyFn: ({ id, totalEntries }) => `${id} ${totalEntries}` }),
    decidedMinutes: manyByRound((ids) => read((em) => decidedMinutes(em, ids))),
    placedEntry: new DataLoader(async (ids) => {
      const found = new Map((await read((em) => placedEntries(em, ids))).map((row) => [row.id, row]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    predictionSlice: loaderByArguments((slice, rounds) => read((em) => slicesOf(em, slice, rounds))),
    roundPredictions: loaderByArguments((args, rounds) => read((em) => pagesOfRounds(em, args, rounds))),
    agentPredictions: loaderByArguments((args, agents) => read((em) => pagesOfAgents(em, args, agents))),
    calibration: loaderByArguments((asked, agents) => read((em) => calibrationsOf(em, asked, agents))),
    history: loaderByArguments((asked, agents) => read((em) => historiesOf(em, asked, agents))),
    edgeHistory: loaderByArguments((asked, agents) => read((em) => edgeHistoriesOf(em, asked, agents))),
    rank: loaderByArguments((asked, agents) => read((em) => ranksOf(em, asked, agents))),
    rankCertainty: loaderByArguments((asked, agents) => read((em) => rankCertaintiesOf(em, asked, agents))),
  };
}

const BY_POSITION = { orderBy: { position: 'asc' } } as const;
const BY_ASSET = { orderBy: { hourStart: 'asc', asset: 'asc' } } as const;
const BY_POINT = { orderBy: { point: 'asc' } } as const;
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

/** A field with arguments on many parents: parents that ask with the same arguments are answered together. */
export type LoaderByArguments<Args, Value> = (args: Args) => DataLoader<number, Value>;

/** `load` answers for parents of one level and arguments, in their order: it is one statement whatever their number. */
function loaderByArguments<Args extends object, Value>(
  load: (args: Args, parents: readonly number[]) => Promise<readonly Value[]>,
): LoaderByArguments<Args, Value> {
  const loaders = new Map<string, DataLoader<number, Value>>();
  return (args) => {
    const name = JSON.stringify(args);
    const known = loaders.get(name);
    if (known !== undefined) return known;
    // Async, so that arguments that `load` refuses at once are its error, not a fault of the loader.
    const loader = new DataLoader<number, Value>(async (parents) => load(args, parents));
    loaders.set(name, loader);
    return loader;
  };
}
