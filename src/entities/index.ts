import { AdminAction } from './admin-action.ts';
import { Agent, NameCount, ReservedName } from './agent.ts';
import { AgreedCandle, Candle } from './candles.ts';
import { BoardCount, BoardPlace } from './boards.ts';
import { EarlierRanks, RecentPoints } from './board-trends.ts';
import { Event } from './event.ts';
import { ForecastPools, ForecastReliability, ForecastScore, RoundForecast } from './forecasts.ts';
import { KindBoard, KindState, KindSums, LeadTally } from './kinds.ts';
import { OrderedBoard } from './ordered-board.ts';
import { CrowdMinute, FieldTally, RoundTally } from './tallies.ts';
import { Archive } from './archive.ts';
import { DailyTally } from './daily-tally.ts';
import { Platform } from './platform.ts';
import { Prediction } from './prediction.ts';
import { ReferenceBasis, RoundQuote } from './references.ts';
import { Round, RoundAsset } from './round.ts';
import { Score } from './score.ts';
import { Standing } from './standing.ts';

/** Every table, in one list. */
export const ENTITIES = [
  Agent,
  NameCount,
  ReservedName,
  Round,
  RoundAsset,
  Candle,
  AgreedCandle,
  RoundQuote,
  ReferenceBasis,
  RoundForecast,
  ForecastScore,
  ForecastPools,
  ForecastReliability,
  Prediction,
  Score,
  Standing,
  BoardPlace,
  BoardCount,
  OrderedBoard,
  EarlierRanks,
  RecentPoints,
  KindSums,
  KindBoard,
  KindState,
  LeadTally,
  RoundTally,
  FieldTally,
  CrowdMinute,
  DailyTally,
  Archive,
  Event,
  AdminAction,
  Platform,
];
