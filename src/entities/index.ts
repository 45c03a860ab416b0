import { AdminAction } from './admin-action.ts';
import { Agent } from './agent.ts';
import { AgreedCandle } from './agreed-candle.ts';
import { BoardPlace } from './board-place.ts';
import { BoardRank } from './board-rank.ts';
import { Candle } from './candle.ts';
import { Event } from './event.ts';
import { FieldTally } from './field-tally.ts';
import { Platform } from './platform.ts';
import { Prediction } from './prediction.ts';
import { RoundAsset } from './round-asset.ts';
import { RoundTally } from './round-tally.ts';
import { Round } from './round.ts';
import { Score } from './score.ts';
import { Standing } from './standing.ts';

/** Every table, in one list. */
export const ENTITIES = [
  Agent,
  Round,
  RoundAsset,
  Candle,
  AgreedCandle,
  Prediction,
  Score,
  Standing,
  BoardPlace,
  BoardRank,
  RoundTally,
  FieldTally,
  Event,
  AdminAction,
  Platform,
];
