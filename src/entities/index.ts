import { Agent } from './agent.ts';
import { BoardPlace } from './board-place.ts';
import { Candle } from './candle.ts';
import { Event } from './event.ts';
import { Platform } from './platform.ts';
import { Prediction } from './prediction.ts';
import { RoundAsset } from './round-asset.ts';
import { Round } from './round.ts';
import { Score } from './score.ts';
import { Standing } from './standing.ts';

/** Every table, in one list. */
export const ENTITIES = [Agent, Round, RoundAsset, Candle, Prediction, Score, Standing, BoardPlace, Event, Platform];
