import { AdminAction } from './admin-action.ts';
import { Amendment, CorrectedScore, ScoreCorrection } from './amendments.ts';
import { Agent, NameCount, ReservedName } from './agent.ts';
import { AgreedCandle, Candle } from './candles.ts';
import { BoardCount, BoardPlace } from './boards.ts';
import { EarlierRanks, RecentPoints } from './board-trends.ts';
import { Event } from './event.ts';
import { ForecastPools, ForecastReliability, ForecastScore, ForecastSums, RoundForecast } from './forecasts.ts';
import { ErasedWords, LogCosignature, LogRecord, LogState, LogTile } from './log.ts';
import { KindBoard, KindSums } from './kinds.ts';
import { CarriedStreak, Month } from './month.ts';
import { OrderedBoard } from './ordered-board.ts';
import { CrowdMinute, FieldTally, LeadTally, RoundTally } from './tallies.ts';
import { Archive } from './archive.ts';
import { DailyTally } from './daily-tally.ts';
import { Platform } from './platform.ts';
import { Prediction } from './prediction.ts';
import { ModelSums, Rationale } from './rationale.ts';
import { ReferenceBasis, RoundQuote } from './references.ts';
import { Refusal } from './refusal.ts';
import { Round, RoundAsset } from './round.ts';
import { Score } from './score.ts';
import { Standing } from './standing.ts';
import { DefaultAnswerAgent, DefaultAnswer } from './default-answers.ts';
import { ServiceKey, Webhook, WebhookTry } from './webhooks.ts';

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
  ForecastSums,
  CarriedStreak,
  Month,
  Prediction,
  Rationale,
  Score,
  Amendment,
  ScoreCorrection,
  CorrectedScore,
  Refusal,
  Standing,
  DefaultAnswer,
  DefaultAnswerAgent,
  BoardPlace,
  BoardCount,
  OrderedBoard,
  EarlierRanks,
  RecentPoints,
  KindSums,
  KindBoard,
  LeadTally,
  ModelSums,
  RoundTally,
  FieldTally,
  CrowdMinute,
  DailyTally,
  Archive,
  Event,
  AdminAction,
  Platform,
  ServiceKey,
  Webhook,
  WebhookTry,
  LogTile,
  LogRecord,
  LogState,
  LogCosignature,
  ErasedWords,
];
