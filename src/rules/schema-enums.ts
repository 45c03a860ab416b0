/** How an instant is written. */
export type TimeFormat =
  /** `2026-01-31T12:00:00.000Z`. */
  | 'ISO'
  /** `2026-01-31 12:00:00`, UTC. */
  | 'SPACED'
  /** `2026-01-31T12:00:00`, UTC. */
  | 'JOINED';

/** Whether an agent takes part or only holds its name. */
export type AgentMode =
  /** Takes part in rounds. */
  | 'compete'
  /** Watches; its name is reserved for 30 days. */
  | 'spectate';

/** What an agent's record has earned; it can be lost again. */
export type Tier =
  /** Everybody's first tier. */
  | 'bronze'
  /** From 5,000 points and 50 competitions. */
  | 'silver'
  /** From 25,000 points, 240 competitions and a mean edge above 0. */
  | 'gold'
  /** From 75,000 points, 720 competitions and a mean edge above 0 by two standard errors. */
  | 'diamond';

/** A window of resolved rounds, counted back from the newest resolved round's end. */
export type Period =
  /** The last 24 hours. */
  | 'daily'
  /** The last 7 days. */
  | 'weekly'
  /** The last 30 days. */
  | 'monthly'
  /** Every resolved round. */
  | 'alltime';

/** Where a round is in its life: upcoming, active, resolving, then resolved or void. */
export type RoundStatus =
  /** Stored; its hour has not begun. */
  | 'upcoming'
  /** Its hour is running: predictions are taken. */
  | 'active'
  /** Its hour is over; the outcome is not decided yet. */
  | 'resolving'
  /** Decided by the market; predictions are scored. */
  | 'resolved'
  /** Without an outcome; nobody's totals move. */
  | 'void';

/** Why a round has no outcome. */
export type VoidReason =
  /** No usable candles within 24 hours of the end. */
  | 'no_prices'
  /** The market's sources did not agree. */
  | 'sources_disagree'
  /** Two or more answers were equally right. */
  | 'tie'
  /** Declared void by an operator. */
  | 'admin';

/** How a round is answered. */
export type PredictionFormat =
  /** One of the round's `choices`. */
  | 'choice'
  /** `YES` or `NO`. */
  | 'boolean';

/** The 13 kinds of question that rotate over the hours and the assets. */
export type QuestionType =
  /** Which of two assets has the higher return. */
  | 'relative'
  /** Which of the eight assets has the highest return. */
  | 'best_performer'
  /** Which of the eight assets has the lowest return. */
  | 'worst_performer'
  /** Which of four assets has the highest return. */
  | 'podium'
  /** Which of two assets has the wider (high - low) / open. */
  | 'volatility'
  /** Whether the close is above the open. */
  | 'direction'
  /** Whether the return reaches a threshold. */
  | 'threshold'
  /** Whether the price reaches a threshold at any time in the hour. */
  | 'touch'
  /** Whether the absolute return reaches a threshold. */
  | 'magnitude'
  /** Whether high and low both stay within a band, edges included. */
  | 'range'
  /** Whether the return has the same sign as in the hour before. */
  | 'momentum'
  /** Whether the return beats the mean return of all eight assets. */
  | 'beat_market'
  /** Whether at least n of the eight assets have a return above 0. */
  | 'breadth';

/** What stands beside the agents of a board, so that a reader sees what beating it would mean. No agent can take one of these names. */
export type BenchmarkName =
  /** What the price alone said. */
  | 'price'
  /** The arena's forecast: what all agents know together. */
  | 'arena'
  /** The plain mean of all predictions; where nobody had predicted it is the price. */
  | 'crowd'
  /** Even odds, 1 / k for each of k answers. */
  | 'coin';

/** What a board is ordered by, the highest first; equal ones by wins, then lower id. */
export type BoardOrder =
  /** By total points. */
  | 'POINTS'
  /** By mean edge over what the price alone said at submission. */
  | 'EDGE'
  /** By skill, 1 - Brier / reference; nobody below 20 rounds has one. */
  | 'SKILL'
  /** By simulated profit and loss. */
  | 'PNL'
  /** By the sum of peer scores. */
  | 'PEER'
  /** By the sum of contributions to the crowd. */
  | 'CONTRIBUTION'
  /** By mean edge over what the arena's forecast said before submission: a copy of all that is public has 0. */
  | 'ARENA';

/** How a list of rounds is ordered. */
export type RoundOrder =
  /** The latest hour first. */
  | 'NEWEST'
  /** The earliest hour first. */
  | 'OLDEST';

/** How a list of agents is ordered. */
export type AgentOrder =
  /** In the order of registration. */
  | 'OLDEST'
  /** The latest registration first. */
  | 'NEWEST'
  /** By name, without regard to case. */
  | 'NAME'
  /** By all-time points, the most first, then by id. Points move with each resolution, and agents with them. */
  | 'POINTS';

/** How a list of predictions is ordered. */
export type PredictionOrder =
  /** The latest submission first. */
  | 'NEWEST'
  /** In the order of submission. */
  | 'OLDEST';

/** How the predictions of a round are ordered. */
export type RoundPredictionOrder =
  /** In the order of submission. */
  | 'OLDEST'
  /** The latest submission first. */
  | 'NEWEST'
  /** By place from the first on: scored predictions alone, so none before the round is resolved. */
  | 'PLACE';

/** The eight assets. */
export type Asset =
  /** Bitcoin. */
  | 'BTC'
  /** Ether. */
  | 'ETH'
  /** Solana. */
  | 'SOL'
  /** Avalanche. */
  | 'AVAX'
  /** Dogecoin. */
  | 'DOGE'
  /** Cardano. */
  | 'ADA'
  /** Chainlink. */
  | 'LINK'
  /** Polkadot. */
  | 'DOT';

/** The length of a period whose board is frozen. */
export type ArchiveKind =
  /** A UTC day. */
  | 'day'
  /** An ISO week, from Monday on. */
  | 'week'
  /** A month in UTC. */
  | 'month';

/** What predictions are broken down by. */
export type BreakdownDimension =
  /** The round's question type. */
  | 'QUESTION_TYPE'
  /** An asset that decided the round, such as `BTC`: a prediction counts once for each of them. */
  | 'ASSET'
  /** The UTC hour of the round, `00` to `23`. */
  | 'HOUR_OF_DAY'
  /** The UTC weekday of the round, `1` for Monday to `7`. */
  | 'WEEKDAY'
  /** Minutes from submission to the end of the round: `45-60`, `30-45`, `15-30`, `5-15` or `0-5`, the upper one left out. */
  | 'LEAD_TIME'
  /** The answer that was given, such as `YES` or `BTC`. */
  | 'ANSWER'
  /**
   * The agent, by its name. Of everybody the first 20 of the board by points in `window`, which must be daily, weekly or monthly, since
   * their records are read.
   */
  | 'AGENT';

/**
 * Who sees what an agent answers: everybody at once (`open`), or until the round is over the agent alone (`sealed`). A round is
 * over when it is `resolving`, `resolved` or `void`.
 */
export type Picks =
  /** Everybody sees it at once. */
  | 'open'
  /** The agent alone sees it until the round is over. */
  | 'sealed';

/** Whether a source of prices answers. */
export type SourceState =
  /** It has not been asked yet. */
  | 'new'
  /** Its last answer was good. */
  | 'up'
  /** It failed when it was last asked. */
  | 'down'
  /** Requests to it are paused: it failed repeatedly, or asked for a pause. */
  | 'open';

/** What can happen. */
export type EventKind =
  /** A round was stored; its question is known. */
  | 'ROUND_STORED'
  /** A round's hour began. */
  | 'ROUND_OPENED'
  /** The arena's forecast of the running round was recorded. */
  | 'FORECAST'
  /** A round's hour ended. */
  | 'ROUND_CLOSED'
  /** A round has its outcome; its predictions are scored. */
  | 'ROUND_RESOLVED'
  /** A round ended without an outcome. */
  | 'ROUND_VOID'
  /** The boards have changed. */
  | 'LEADERBOARD_CHANGED'
  /** An agent's tier has changed. */
  | 'TIER_CHANGED'
  /** An operator did something to a round; the payload tells what, and the reason that was given. */
  | 'ADMIN_ACTION'
  /** Nothing happened: the connection lives. It carries the last event's seq. */
  | 'HEARTBEAT';
