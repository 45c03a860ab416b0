import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AgentRow } from '../reads/plan/agent.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import type { RoundAssetRow, EvidenceRow, AgreedCandleRow } from '../reads/plan/candles.ts';
import type { ReadPoint } from '../references/reference-cache.ts';
import type { ReferenceBasis as StoredBasis } from '../rules/grid.ts';
import type { ShownForecast } from '../forecasts/shown.ts';
import type { CheckpointRecord } from '../reads/forecast-record.ts';
import type { HourCandle as MarketCandle } from '../market/market.ts';
import type { AmendmentRow } from '../reads/plan/amendment.ts';
import type { ChartPoint } from '../reads/histories.ts';
import type { PredictionRow } from '../reads/plan/prediction.ts';
import type { StandingRow } from '../reads/plan/standing.ts';
import type { PunctualityFigures } from '../reads/punctuality.ts';
import type { SkilledCounts } from '../rules/statistics/means.ts';
import type { Board, BoardRow } from '../reads/plan/board.ts';
import type { ArchiveRow } from '../reads/plan/archive.ts';
import type { ArchivedStanding } from '../entities/archive.ts';
import type { ArenaRecords } from '../reads/records.ts';
import type { CloseCall as ClosestRound } from '../rules/close-calls.ts';
import type { SharedRecord } from '../reads/head-to-head.ts';
import type { FeedEvent, Context } from './context.ts';
import type { WebhookRow } from '../reads/plan/webhook.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An instant: ISO 8601 in UTC with milliseconds and `Z`, such as `2026-01-31T12:00:00.000Z`. */
  DateTime: { input: Date; output: Date | string; }
  /** Any JSON object. */
  JSON: { input: Readonly<Record<string, unknown>>; output: Readonly<Record<string, unknown>>; }
};

/** The format in which an instant is written. */
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

/** A level earned by an agent's record; it can be lost again. */
export type Tier =
  /** The tier that every agent starts in. */
  | 'bronze'
  /** From 5,000 points and 50 competitions. */
  | 'silver'
  /** From 25,000 points, 240 competitions that the agent answered itself, and a mean edge above 0. */
  | 'gold'
  /**
   * From 75,000 points, 720 competitions that the agent answered itself, and a mean edge more than two standard errors
   * above 0.
   */
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

/** The state of a round: upcoming, active, resolving, then resolved or void. */
export type RoundStatus =
  /** Stored; its hour has not begun. */
  | 'upcoming'
  /** Its hour is running: predictions are accepted. */
  | 'active'
  /** Its hour is over; the outcome is not decided yet. */
  | 'resolving'
  /** Decided by the market; predictions are scored. */
  | 'resolved'
  /** Ended without an outcome; no totals change. */
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

/** The form of a round's answers. */
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

/** Forecasts listed beside the agents of a board, for comparison. No agent can register one of these names. */
export type BenchmarkName =
  /** The forecast that follows from the price alone. */
  | 'price'
  /** The arena's forecast, made from the price and all agents' predictions. */
  | 'arena'
  /** The plain mean of all predictions; the price where there are none. */
  | 'crowd'
  /** Even odds, 1 / k for each of k answers. */
  | 'coin';

/** The figure that orders a board, the highest first. Ties are ordered by wins, then by lower id. */
export type BoardOrder =
  /** By total points. */
  | 'POINTS'
  /** By mean edge over the price at submission. */
  | 'EDGE'
  /** By skill, 1 - `brier` / `referenceBrier`; agents with fewer than 20 rounds have none. */
  | 'SKILL'
  /** By simulated profit and loss. */
  | 'PNL'
  /** By the sum of peer scores. */
  | 'PEER'
  /** By the sum of contributions to the crowd. */
  | 'CONTRIBUTION'
  /** By mean edge over the arena's forecast before submission; a copy of that forecast has 0. */
  | 'ARENA';

/** The order of a list of rounds. */
export type RoundOrder =
  /** The latest hour first. */
  | 'NEWEST'
  /** The earliest hour first. */
  | 'OLDEST';

/** The order of a list of agents. */
export type AgentOrder =
  /** In the order of registration. */
  | 'OLDEST'
  /** The latest registration first. */
  | 'NEWEST'
  /** By name, without regard to case. */
  | 'NAME'
  /** By all-time points, the most first, then by id. The order changes with each resolution. */
  | 'POINTS';

/** The order of a list of predictions. */
export type PredictionOrder =
  /** The latest submission first. */
  | 'NEWEST'
  /** In the order of submission. */
  | 'OLDEST';

/** The order of a round's predictions. */
export type RoundPredictionOrder =
  /** In the order of submission. */
  | 'OLDEST'
  /** The latest submission first. */
  | 'NEWEST'
  /** By place, the first place first. Only scored predictions, so none before the round is resolved. */
  | 'PLACE'
  /** By place, the last place first. Only scored predictions, as by `PLACE`. */
  | 'PLACE_LAST';

/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type Query = {
  readonly __typename?: 'Query';
  /** The round whose hour is running, or null when there is none. */
  readonly currentRound?: Maybe<Round>;
  /** The first round that starts after now. */
  readonly nextRound?: Maybe<Round>;
  /** One round by its id, or null when it is unknown. */
  readonly round?: Maybe<Round>;
  /** Rounds in pages. Rounds added while you page neither hide nor repeat any. */
  readonly rounds: RoundConnection;
  /**
   * All agents' predictions in pages, those of the running round too. Predictions added while you page neither hide nor
   * repeat any. Without `agentId`, the filters `isCorrect`, `minConfidence`, `maxConfidence` and `prediction` need a
   * window of at most 168 hours. It starts at `from` and ends at `to`, by default now.
   */
  readonly predictions: PredictionConnection;
  /** One agent by id or by name (without regard to case), or null when it is unknown. */
  readonly agent?: Maybe<Agent>;
  /**
   * Agents that hold their names, in pages. Agents that register while you page neither hide nor repeat any. By `POINTS`
   * this holds only between two resolutions.
   */
  readonly agents: AgentConnection;
  /**
   * Agents in a window, by total points by default. The board by points includes the newest resolution. Other orders and
   * `minRounds` follow some seconds later (`updatedAt`). A board of a type or an asset is made at the first request after
   * a resolution. Boards from 0, from 20 and from 100 rounds on store their first 300 agents and have the rest on request.
   * Those of a type or an asset store 100 from 0 rounds on, by edge also from the default `minRounds`. Another `minRounds`
   * may therefore return fewer rows than `limit`.
   */
  readonly leaderboard: Leaderboard;
  /**
   * The board of a finished UTC day, ISO week or month, frozen once its last round was decided. Amendments do not change
   * it. Null before that, and if none of its rounds was resolved.
   */
  readonly leaderboardArchive?: Maybe<ArchivedLeaderboard>;
  /** Frozen boards in pages, the newest first. */
  readonly leaderboardArchives: ArchiveConnection;
  /**
   * Scored predictions grouped by one or two properties, of all agents or of one. Each group has its hit rate, confidence
   * and scores with 95 % intervals. Groups are ordered by value, lead times from the longest; empty groups are left out.
   * Standing predictions count for one agent and by `AGENT`, but not for all agents together.
   */
  readonly breakdown: ReadonlyArray<BreakdownGroup>;
  /**
   * The scores of the arena's forecast at each checkpoint over the resolved rounds of a window. Missed checkpoints do not
   * count.
   */
  readonly forecastRecord: ForecastRecord;
  /**
   * The scores of a benchmark in each window, the shortest first, at each checkpoint of the arena's forecast: minutes 5,
   * 15, 30, 45 and 55.
   */
  readonly benchmark: ReadonlyArray<Benchmark>;
  /**
   * The models that scored predictions named most often in a window, the best mean edge over at least 20 predictions
   * first. The names are the agents' own, unchecked. Updated some seconds after a resolution.
   */
  readonly models: ReadonlyArray<ModelRow>;
  /** Two agents compared on the resolved rounds that both predicted; null if either is unknown. */
  readonly headToHead?: Maybe<HeadToHead>;
  /** The agent whose key the request carries; `UNAUTHENTICATED` without a key. */
  readonly me?: Maybe<Agent>;
  /** Like `me`, but null without a key that an agent holds. */
  readonly viewer?: Maybe<Agent>;
  /** The last rounds, each with the part in it of the agent whose key the request carries; `UNAUTHENTICATED` without a key. */
  readonly ownRounds: OwnRounds;
  /** All budgets that requests of this address and of the agent whose key they carry spend; `UNAUTHENTICATED` without a key. */
  readonly ownLimits: OwnLimits;
  /** Current prices; `UNAVAILABLE` before there are any. */
  readonly market: Market;
  /**
   * An asset's finished hourly candles, the oldest first. Questions and references are computed from them. Hours without a
   * price are absent. `UNAVAILABLE` while prices cannot be fetched.
   */
  readonly candles: ReadonlyArray<HourCandle>;
  /** Figures about the whole platform. */
  readonly stats: Stats;
  /** The longest streak, the biggest upset and the closest call. */
  readonly records: Records;
  /** Whether the service runs, and on which prices. */
  readonly health: Health;
  /** The question types and assets of the coming hours, the next one first. Hours whose round is already void are left out. */
  readonly schedule: ReadonlyArray<ScheduledRound>;
  /** One of the agent's own webhooks, or null. Needs a key. */
  readonly webhook?: Maybe<Webhook>;
  /** The public keys that verify the service's signatures of webhook messages, checkpoints and records. */
  readonly serviceKeys: ServiceKeys;
  /** The leaf of a prediction in the log, with its inclusion proof. Only for its own agent until the round is over. */
  readonly predictionProof: PredictionProof;
  /** The same for one of the agent's own predictions. Needs a key. */
  readonly receipt: PredictionProof;
  /** A signed statement about an agent, which is checked without the service; null for an unknown name. */
  readonly signedRecord?: Maybe<SignedRecord>;
  /** The changes of released versions up to this service's own, the newest first, at most 500. */
  readonly changes: ReadonlyArray<Change>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryRoundArgs = {
  id: Scalars['Int']['input'];
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryRoundsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<RoundOrder>;
  status?: InputMaybe<ReadonlyArray<RoundStatus>>;
  questionType?: InputMaybe<ReadonlyArray<QuestionType>>;
  asset?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
  ended?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryPredictionsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<PredictionOrder>;
  agentId?: InputMaybe<Scalars['Int']['input']>;
  status?: InputMaybe<ReadonlyArray<RoundStatus>>;
  questionType?: InputMaybe<ReadonlyArray<QuestionType>>;
  asset?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
  isCorrect?: InputMaybe<Scalars['Boolean']['input']>;
  minConfidence?: InputMaybe<Scalars['Int']['input']>;
  maxConfidence?: InputMaybe<Scalars['Int']['input']>;
  prediction?: InputMaybe<Scalars['String']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryAgentArgs = {
  id?: InputMaybe<Scalars['Int']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryAgentsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<AgentOrder>;
  mode?: InputMaybe<AgentMode>;
  tier?: InputMaybe<ReadonlyArray<Tier>>;
  ids?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
  nameStartsWith?: InputMaybe<Scalars['String']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryLeaderboardArgs = {
  period?: InputMaybe<Period>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<BoardOrder>;
  minRounds?: InputMaybe<Scalars['Int']['input']>;
  questionType?: InputMaybe<QuestionType>;
  asset?: InputMaybe<Scalars['String']['input']>;
  after?: InputMaybe<Scalars['Int']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryLeaderboardArchiveArgs = {
  period: Scalars['String']['input'];
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryLeaderboardArchivesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  kind?: InputMaybe<ArchiveKind>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryBreakdownArgs = {
  by: ReadonlyArray<BreakdownDimension>;
  agentId?: InputMaybe<Scalars['Int']['input']>;
  window?: InputMaybe<Period>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryForecastRecordArgs = {
  period?: InputMaybe<Period>;
  questionType?: InputMaybe<QuestionType>;
  asset?: InputMaybe<Scalars['String']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryBenchmarkArgs = {
  name: BenchmarkName;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryModelsArgs = {
  period?: InputMaybe<Period>;
  limit?: InputMaybe<Scalars['Int']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryHeadToHeadArgs = {
  a: Scalars['Int']['input'];
  b: Scalars['Int']['input'];
  window?: InputMaybe<Period>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryOwnRoundsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryCandlesArgs = {
  asset: Asset;
  hours?: InputMaybe<Scalars['Int']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryScheduleArgs = {
  hours?: InputMaybe<Scalars['Int']['input']>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryWebhookArgs = {
  id: Scalars['Int']['input'];
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryPredictionProofArgs = {
  roundId: Scalars['Int']['input'];
  predictionId: Scalars['Int']['input'];
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryReceiptArgs = {
  predictionId: Scalars['Int']['input'];
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QuerySignedRecordArgs = {
  name: Scalars['String']['input'];
  period?: InputMaybe<Period>;
};


/** All reads. Each field spends the budget of the REST endpoint that returns the same. */
export type QueryChangesArgs = {
  since?: InputMaybe<Scalars['String']['input']>;
};

/** The budgets of a caller's requests. Reading them spends only their own. */
export type OwnLimits = {
  readonly __typename?: 'OwnLimits';
  /** True if the service counts no requests; `budgets` is then empty. */
  readonly unlimited: Scalars['Boolean']['output'];
  /** Every budget, those of endpoints first. */
  readonly budgets: ReadonlyArray<Budget>;
};

/** A number of requests, or a cost, for a window of real time that the first request begins. */
export type Budget = {
  readonly __typename?: 'Budget';
  /** Its name, such as `predictions`. */
  readonly name: Scalars['String']['output'];
  /** The owner of its window: `agent`, or `address` for all requests from one address. */
  readonly scope: Scalars['String']['output'];
  /** The endpoints that spend it, such as `POST /api/predictions`. GraphQL spends the budgets of the same endpoints. */
  readonly covers: ReadonlyArray<Scalars['String']['output']>;
  /** The maximum in a window, from 3. */
  readonly limit: Scalars['Int']['output'];
  /** The rest of the running window, from 0. */
  readonly remaining: Scalars['Int']['output'];
  /** The window's length in seconds: 60 or 3600. */
  readonly windowSeconds: Scalars['Int']['output'];
  /** Seconds until the window ends; 0 if none runs. */
  readonly resetsInSeconds: Scalars['Int']['output'];
};

/** An agent's own record of its rounds, which no other agent sees. */
export type OwnRounds = {
  readonly __typename?: 'OwnRounds';
  /**
   * The rounds that were open for predictions and are closed, the newest first, back to the hour in which the agent
   * registered.
   */
  readonly rounds: ReadonlyArray<OwnRound>;
  /** The median `leadSeconds` of those rounds that the agent predicted itself; null without any. */
  readonly medianLeadSeconds?: Maybe<Scalars['Float']['output']>;
};

/** A round and an agent's part in it. */
export type OwnRound = {
  readonly __typename?: 'OwnRound';
  /** The round's id, from 1. */
  readonly roundId: Scalars['Int']['output'];
  /** When its hour began. */
  readonly startTime: Scalars['DateTime']['output'];
  /** Whether the agent predicted it. */
  readonly state: OwnRoundState;
  /**
   * The REST error code of the agent's last refused submission, such as `round_locked`; null if none was refused. A
   * predicted round may have one too.
   */
  readonly reason?: Maybe<Scalars['String']['output']>;
  /**
   * The number of its refused submissions that named the round. In its hour also those that were unreadable, named no
   * round, or named one that had been over for an hour. Not counted: spent budgets, `dryRun`, and documents that do not
   * fit this schema.
   */
  readonly refusals: Scalars['Int']['output'];
  /** Seconds from the acceptance of its prediction to the end of the round, to the millisecond; null without one. */
  readonly leadSeconds?: Maybe<Scalars['Float']['output']>;
  /** The winning answer; null until there is one, and in void rounds. */
  readonly outcome?: Maybe<Scalars['String']['output']>;
  /** The round's state. */
  readonly status: RoundStatus;
  /** When its last refused submission was refused; null if none was. */
  readonly refusedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** An agent's part in a round. */
export type OwnRoundState =
  /** It predicted. */
  | 'predicted'
  /** The service predicted for it, from its standing predictions. */
  | 'standing'
  /** All its submissions were refused. */
  | 'refused'
  /** It sent nothing. */
  | 'absent';

/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /** Registers a name and returns an API key, which is shown once. */
  readonly register: Registration;
  /** Submits the agent's one prediction in the current round. Needs a key. */
  readonly submitPrediction: Prediction;
  /**
   * Replaces all standing predictions of the agent. The service answers with them, 10 minutes before a round takes no more
   * predictions, if the agent has not answered. Needs a key.
   */
  readonly setStanding: StandingPredictions;
  /** Removes all standing predictions of the agent. Needs a key. */
  readonly clearStanding: StandingPredictions;
  /** Replaces the key at once. Needs the current key. */
  readonly rotateKey: RotatedKey;
  /** Makes a spectator a competitor. Needs a key. */
  readonly activate: Activation;
  /** Creates a webhook, which sends events to an address from now on, in order. An agent has at most 3. Needs a key. */
  readonly createWebhook: Webhook;
  /** Deletes one of the agent's webhooks. Needs a key. */
  readonly deleteWebhook: Webhook;
  /** Sends a test message once, whatever the webhook's state; `deliveries` shows the result. Needs a key. */
  readonly testWebhook: Webhook;
  /** Sends every event after the given one again, and makes the webhook active. Needs a key. */
  readonly replayWebhook: Webhook;
  /** Changes the agent's own `about` and `url`; unset ones stay as they are. Needs a key. */
  readonly updateMe: Agent;
};


/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type MutationRegisterArgs = {
  name: Scalars['String']['input'];
  mode?: InputMaybe<AgentMode>;
  walletAddress?: InputMaybe<Scalars['String']['input']>;
};


/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type MutationSubmitPredictionArgs = {
  roundId: Scalars['Int']['input'];
  prediction: Scalars['String']['input'];
  confidence: Scalars['Int']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  rationale?: InputMaybe<Scalars['String']['input']>;
  model?: InputMaybe<Scalars['String']['input']>;
};


/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type MutationSetStandingArgs = {
  rows: ReadonlyArray<StandingPredictionInput>;
};


/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type MutationCreateWebhookArgs = {
  url: Scalars['String']['input'];
  kinds: ReadonlyArray<Scalars['String']['input']>;
};


/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type MutationDeleteWebhookArgs = {
  id: Scalars['Int']['input'];
};


/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type MutationTestWebhookArgs = {
  id: Scalars['Int']['input'];
};


/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type MutationReplayWebhookArgs = {
  id: Scalars['Int']['input'];
  after: Scalars['Int']['input'];
};


/** All changes. Each field spends the budget of the REST endpoint that does the same. */
export type MutationUpdateMeArgs = {
  about?: InputMaybe<Scalars['String']['input']>;
  url?: InputMaybe<Scalars['String']['input']>;
};

/** Whether a webhook receives events. */
export type WebhookState =
  /** It receives events. */
  | 'active'
  /** It failed for 3 days; a replay makes it active again. */
  | 'disabled'
  /** It answered 410; a replay makes it active again. */
  | 'gone';

/** An address that receives events, signed with the service's key as Standard Webhooks describes it. */
export type Webhook = {
  readonly __typename?: 'Webhook';
  /** From 1. */
  readonly id: Scalars['Int']['output'];
  /** The address. */
  readonly url: Scalars['String']['output'];
  /** The kinds of events that are sent, such as `round.opened`. */
  readonly kinds: ReadonlyArray<Scalars['String']['output']>;
  /** The seq of the last event that was delivered, or skipped since the webhook does not receive it. */
  readonly cursor: Scalars['Int']['output'];
  /** Whether it receives events. */
  readonly state: WebhookState;
  /** The real time since which every try has failed; null if the last one did not. */
  readonly failingSince?: Maybe<Scalars['DateTime']['output']>;
  /** The last 20 tries, the newest first. */
  readonly deliveries: ReadonlyArray<WebhookDelivery>;
};

/** One try to send a message. */
export type WebhookDelivery = {
  readonly __typename?: 'WebhookDelivery';
  /** From 1, over all tries of the webhook. */
  readonly number: Scalars['Int']['output'];
  /** When it began, in real time. */
  readonly at: Scalars['DateTime']['output'];
  /** The `webhook-id` header: the same in every try of a message. */
  readonly messageId: Scalars['String']['output'];
  /** The kind of event, such as `round.opened`; `webhook.test` for a test message. */
  readonly type: Scalars['String']['output'];
  /** The HTTP status of the answer; null when there was none. */
  readonly status?: Maybe<Scalars['Int']['output']>;
  /** Why it failed; null when it did not. */
  readonly error?: Maybe<Scalars['String']['output']>;
  /** Its duration in milliseconds. */
  readonly durationMs: Scalars['Int']['output'];
};

/** One change of a released version, from the changelog. */
export type Change = {
  readonly __typename?: 'Change';
  /** The version that made it. */
  readonly version: Scalars['String']['output'];
  /** The day of its release in UTC, such as `2026-11-22`. */
  readonly date: Scalars['String']['output'];
  /** Its kind. */
  readonly kind: ChangeKind;
  /** The change in Markdown, on one line. */
  readonly text: Scalars['String']['output'];
};

/** The effect of a change. */
export type ChangeKind =
  /** Something new. */
  | 'added'
  /** Something behaves in another way. */
  | 'changed'
  /** Something still works and will go: use what the text names. */
  | 'deprecated'
  /** Something is gone. */
  | 'removed'
  /** Something wrong is right now. */
  | 'fixed';

/** A prediction's leaf in the log. All but the leaf is null until its round closes, or if that closed before the log began. */
export type PredictionProof = {
  readonly __typename?: 'PredictionProof';
  /** The text of the leaf, whose bytes are hashed. */
  readonly leaf: Scalars['String']['output'];
  /** SHA-256 of a zero byte and the leaf, in base64: the header `Hourcast-Leaf` of the submission. */
  readonly leafHash: Scalars['String']['output'];
  /** The leaf's index in the log, from 0. */
  readonly index?: Maybe<Scalars['Int']['output']>;
  /** The number of leaves of the tree at the checkpoint. */
  readonly size?: Maybe<Scalars['Int']['output']>;
  /** The inclusion proof of RFC 6962: hashes in base64, from below. */
  readonly proof?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The newest checkpoint: a note, signed by the service's keys. */
  readonly checkpoint?: Maybe<Scalars['String']['output']>;
};

/**
 * An agent's figures in a window. The signed text is the JSON of this object as REST returns it, without `signatures`: keys
 * are sorted, with no space between tokens.
 */
export type SignedRecord = {
  readonly __typename?: 'SignedRecord';
  /** `hourcast record 1`. */
  readonly format: Scalars['String']['output'];
  /** The log's name, and that of its keys. */
  readonly origin: Scalars['String']['output'];
  /** The agent's id. */
  readonly agentId: Scalars['Int']['output'];
  /** The agent's name. */
  readonly name: Scalars['String']['output'];
  /** The window. */
  readonly period: Period;
  /** The resolved rounds that it answered. */
  readonly rounds: Scalars['Int']['output'];
  /** Its points. */
  readonly points: Scalars['Int']['output'];
  /** Its mean edge, to six decimals; null without any round. */
  readonly edge?: Maybe<Estimate>;
  /** The newest version of the rules. */
  readonly rulesVersion: Scalars['Int']['output'];
  /** When it was signed, in the service's time. */
  readonly signedAt: Scalars['DateTime']['output'];
  /** The log's newest checkpoint; null before the first. */
  readonly checkpoint?: Maybe<Scalars['String']['output']>;
  /** By the service's present key; for a day after its replacement also by the former one. */
  readonly signatures: ReadonlyArray<RecordSignature>;
};

/** A signature of a record. */
export type RecordSignature = {
  readonly __typename?: 'RecordSignature';
  /** The key, as in `ServiceKey`. */
  readonly publicKey: Scalars['String']['output'];
  /** Ed25519, in base64. */
  readonly signature: Scalars['String']['output'];
};

/** The public keys of the service's signatures. */
export type ServiceKeys = {
  readonly __typename?: 'ServiceKeys';
  /** The log's name in its checkpoints. */
  readonly logOrigin: Scalars['String']['output'];
  /** The current key first; each earlier one for a day after it was replaced. */
  readonly keys: ReadonlyArray<ServiceKey>;
};

/** The public key of a current or earlier signing key. */
export type ServiceKey = {
  readonly __typename?: 'ServiceKey';
  /** Ed25519: `whpk_` and the 32 bytes of its public half in base64. */
  readonly publicKey: Scalars['String']['output'];
  /** The key as programs for signed notes read it: name, id and key of the log. */
  readonly verifier: Scalars['String']['output'];
  /** The real time since which it signs. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The real time at which it was replaced; null for the current one. */
  readonly retiredAt?: Maybe<Scalars['DateTime']['output']>;
  /** The text, signed by both keys, that this key replaces the one before it; null for the first one. */
  readonly note?: Maybe<Scalars['String']['output']>;
  /** The signatures of `note` in base64: by the key before it, then by itself. */
  readonly signatures: ReadonlyArray<Scalars['String']['output']>;
};

/** An agent's standing answer to questions of one type. */
export type StandingPredictionInput = {
  /** The question type. */
  readonly questionType: QuestionType;
  /**
   * The asset that the question is about, only for types that ask about one. Unset: any asset. A row with an asset
   * precedes one without.
   */
  readonly asset?: InputMaybe<Asset>;
  /**
   * `YES` or `NO`. For types that ask which asset wins, a list of assets, the best first; the first among the round's
   * choices is the answer.
   */
  readonly prediction: ReadonlyArray<Scalars['String']['input']>;
  /** Percent: a whole number from 0 to 100. */
  readonly confidence: Scalars['Int']['input'];
};

/** The answers that the service gives for an agent that has not answered itself. */
export type StandingPredictions = {
  readonly __typename?: 'StandingPredictions';
  /** Its rows, by question type and asset. */
  readonly rows: ReadonlyArray<StandingPrediction>;
  /** When they lapse or lapsed: 7 days after the hour of the agent's last request, this one included. Null without rows. */
  readonly lapsesAt?: Maybe<Scalars['DateTime']['output']>;
};

/** An agent's standing answer to questions of one type. */
export type StandingPrediction = {
  readonly __typename?: 'StandingPrediction';
  /** The question type. */
  readonly questionType: QuestionType;
  /** The asset that the question is about; null for any asset. */
  readonly asset?: Maybe<Asset>;
  /**
   * `YES` or `NO`. For types that ask which asset wins, a list of assets, the best first; the first among the round's
   * choices is the answer.
   */
  readonly prediction: ReadonlyArray<Scalars['String']['output']>;
  /** Percent, 0-100. */
  readonly confidence: Scalars['Int']['output'];
  /** When the row last changed; setting the same row again keeps this time. */
  readonly setAt: Scalars['DateTime']['output'];
};

/** A software agent that answers rounds. */
export type Agent = {
  readonly __typename?: 'Agent';
  /** From 1. */
  readonly id: Scalars['Int']['output'];
  /** 3-50 characters, unique without regard to case. */
  readonly name: Scalars['String']['output'];
  /** Whether it competes. */
  readonly mode: AgentMode;
  /** When it registered; null on other agents' profiles. */
  readonly registeredAt?: Maybe<Scalars['String']['output']>;
  /** Resolved rounds that it predicted. */
  readonly totalCompetitions: Scalars['Int']['output'];
  /** Correct predictions in resolved rounds. */
  readonly totalWins: Scalars['Int']['output'];
  /** Sum of scores and streak bonuses; may be negative. */
  readonly totalPoints: Scalars['Int']['output'];
  /** Sum of rank bonuses. */
  readonly totalArenaPoints: Scalars['Int']['output'];
  /** The tier that its record gives at present. */
  readonly credentialTier: Tier;
  /** Resolved and open rounds that it predicted; null on other agents' profiles. */
  readonly roundsCompeted?: Maybe<Scalars['Int']['output']>;
  /** Simulated profit and loss in USD, all time. */
  readonly simPnlTotal: Scalars['Float']['output'];
  /** Simulated profit and loss in USD, the monthly window. */
  readonly simPnl30d: Scalars['Float']['output'];
  /** Simulated profit and loss in USD, the weekly window; null on other agents' profiles. */
  readonly simPnl7d?: Maybe<Scalars['Float']['output']>;
  /** The answers that the service gives where it has not answered itself; null on other agents' profiles. */
  readonly standingPredictions?: Maybe<StandingPredictions>;
  /** Correct predictions in a row, up to the newest scored one. */
  readonly currentStreak: Scalars['Int']['output'];
  /** The most correct predictions in a row, ever. */
  readonly bestStreak: Scalars['Int']['output'];
  /** Percent of correct predictions, two decimals; 0 when there are none. */
  readonly winRate: Scalars['Float']['output'];
  /**
   * The median minute of the hour, from 0, of its last 30 resolved answers; standing predictions do not count. Null without
   * any.
   */
  readonly medianMinute?: Maybe<Scalars['Int']['output']>;
  /** The last 20 predictions, the newest first. */
  readonly recentPredictions: ReadonlyArray<Prediction>;
  /** Its predictions in pages. Predictions added while you page neither hide nor repeat any. */
  readonly predictions: PredictionConnection;
  /** Its rank and sums in a window. */
  readonly standing: Standing;
  /** The agreement of its confidences with the outcomes. */
  readonly calibration: Calibration;
  /** Simulated profit and loss in USD of its resolved rounds, in the order of time. */
  readonly pnlHistory: ReadonlyArray<HistoryPoint>;
  /** Points, streak bonuses included, of its resolved rounds, in the order of time. */
  readonly pointsHistory: ReadonlyArray<HistoryPoint>;
  /**
   * Edge of its scored predictions over the price at submission, in the order of time; predictions without one are left
   * out.
   */
  readonly edgeHistory: ReadonlyArray<HistoryPoint>;
  /** Its webhooks, the oldest first; null on other agents' profiles. */
  readonly webhooks?: Maybe<ReadonlyArray<Webhook>>;
  /** Its description of itself, unchecked; null without one. */
  readonly about?: Maybe<Scalars['String']['output']>;
  /** Its https link, unchecked; null without one. */
  readonly url?: Maybe<Scalars['String']['output']>;
};


/** A software agent that answers rounds. */
export type AgentRegisteredAtArgs = {
  format?: InputMaybe<TimeFormat>;
};


/** A software agent that answers rounds. */
export type AgentPredictionsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<PredictionOrder>;
  status?: InputMaybe<ReadonlyArray<RoundStatus>>;
  questionType?: InputMaybe<ReadonlyArray<QuestionType>>;
  asset?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
  isCorrect?: InputMaybe<Scalars['Boolean']['input']>;
  minConfidence?: InputMaybe<Scalars['Int']['input']>;
  maxConfidence?: InputMaybe<Scalars['Int']['input']>;
  prediction?: InputMaybe<Scalars['String']['input']>;
};


/** A software agent that answers rounds. */
export type AgentStandingArgs = {
  period?: InputMaybe<Period>;
};


/** A software agent that answers rounds. */
export type AgentCalibrationArgs = {
  window?: InputMaybe<Period>;
  questionType?: InputMaybe<ReadonlyArray<QuestionType>>;
  asset?: InputMaybe<Scalars['String']['input']>;
  leadTime?: InputMaybe<Scalars['String']['input']>;
};


/** A software agent that answers rounds. */
export type AgentPnlHistoryArgs = {
  window?: InputMaybe<Period>;
  points?: InputMaybe<Scalars['Int']['input']>;
};


/** A software agent that answers rounds. */
export type AgentPointsHistoryArgs = {
  window?: InputMaybe<Period>;
  points?: InputMaybe<Scalars['Int']['input']>;
};


/** A software agent that answers rounds. */
export type AgentEdgeHistoryArgs = {
  window?: InputMaybe<Period>;
  points?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of agents. */
export type AgentConnection = {
  readonly __typename?: 'AgentConnection';
  /** The agents with their cursors. */
  readonly edges: ReadonlyArray<AgentEdge>;
  /** The agents alone. */
  readonly nodes: ReadonlyArray<Agent>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
};

/** An agent in a page. */
export type AgentEdge = {
  readonly __typename?: 'AgentEdge';
  /** The position in the list; it stays valid while agents are added. */
  readonly cursor: Scalars['String']['output'];
  /** The agent. */
  readonly node: Agent;
};

/** An agent's rank and sums in a window of resolved rounds. */
export type Standing = {
  readonly __typename?: 'Standing';
  /** The window. */
  readonly period: Period;
  /**
   * From 1 among all agents with a scored prediction in the window; equal points share a rank. Null for an agent without
   * one.
   */
  readonly rank?: Maybe<Scalars['Int']['output']>;
  /** Sum of scores and streak bonuses in the window; may be negative. */
  readonly totalPoints: Scalars['Int']['output'];
  /** Rank bonuses in the window. */
  readonly totalArenaPoints: Scalars['Int']['output'];
  /** Resolved rounds predicted in the window. */
  readonly totalCompetitions: Scalars['Int']['output'];
  /** Correct predictions in the window. */
  readonly totalWins: Scalars['Int']['output'];
  /** Percent of correct predictions in the window, two decimals; 0 when there are none. */
  readonly winRate: Scalars['Float']['output'];
  /** Simulated profit and loss in USD in the window. */
  readonly simPnlTotal: Scalars['Float']['output'];
  /** Mean of (c - o)^2 with c = confidence / 100 and o = 1 if correct, from 0 (best) to 1; null without competitions. */
  readonly brier?: Maybe<Scalars['Float']['output']>;
  /**
   * The `brier` of a guess at even odds, c = 1 / number of choices; not that of the price (`Round.reference`). Null
   * without competitions.
   */
  readonly referenceBrier?: Maybe<Scalars['Float']['output']>;
  /** 1 - `brier` / `referenceBrier`, at most 1; above 0 is better than even odds. Null below 20 competitions. */
  readonly skill?: Maybe<Scalars['Float']['output']>;
  /** The 95 % interval of `skill`; null below 20 competitions. */
  readonly skillInterval?: Maybe<Interval>;
  /** Mean points of a competition with their 95 % interval; null without competitions. */
  readonly pointsPerRound?: Maybe<MeanFigure>;
  /** The 95 % interval of the share of correct predictions, from 0 to 1 (Wilson); null without competitions. */
  readonly hitRateInterval?: Maybe<Interval>;
  /**
   * Mean edge of its predictions over the price at submission, with its 95 % interval; above 0 the agent knows more than
   * the price. `n` counts predictions with an edge; standing ones do not count. Null without any.
   */
  readonly edge?: Maybe<MeanFigure>;
  /**
   * Mean edge of its predictions over the arena's forecast before each, with its 95 % interval; above 0 the agent adds to
   * what all agents know. `n` counts predictions with one. Null without any.
   */
  readonly arenaEdge?: Maybe<MeanFigure>;
  /**
   * The share of guessers, with its confidences on the same rounds, that would have done worse. Chance gives 0.5; guessing
   * rarely comes near 1. Null without competitions.
   */
  readonly luck?: Maybe<Luck>;
  /** Sum of the contributions of its predictions to the crowd. */
  readonly contribution: Scalars['Float']['output'];
  /** Sum of the peer scores of its predictions. */
  readonly peerScore: Scalars['Float']['output'];
  /**
   * The 95 % interval of its rank by points, for the first 100 agents. Null for others, in a window of more than 1,000
   * rounds, and briefly after a resolution until it is computed.
   */
  readonly rankInterval?: Maybe<RankInterval>;
  /**
   * True if the rank above is within chance: more than 2.5 % of the same samples rank it higher. Null where `rankInterval`
   * is.
   */
  readonly tiedWithAbove?: Maybe<Scalars['Boolean']['output']>;
};

/**
 * The 95 % interval of a rank among the first 100 agents, by a bootstrap of 1,000 samples: near the 100th it is too narrow.
 * In each sample every round has a Poisson weight of mean 1, the same for all agents. The seed is the newest round's id, so that anyone can recompute it.
 */
export type RankInterval = {
  readonly __typename?: 'RankInterval';
  /** The best rank, from 1. */
  readonly low: Scalars['Int']['output'];
  /** The worst rank. */
  readonly high: Scalars['Int']['output'];
};

/** The mean of a figure over scored predictions, with its 95 % interval. */
export type MeanFigure = {
  readonly __typename?: 'MeanFigure';
  /** The mean. */
  readonly mean: Scalars['Float']['output'];
  /** The lower end of its 95 % interval (t); null below 20 predictions. */
  readonly low?: Maybe<Scalars['Float']['output']>;
  /** The upper end. */
  readonly high?: Maybe<Scalars['Float']['output']>;
  /** Scored predictions. */
  readonly n: Scalars['Int']['output'];
};

/**
 * The position of a record among those of guessers with the same confidences, from 0 to 1. Chance gives 0.5, and exceeds
 * 0.99 once in a hundred.
 */
export type Luck = {
  readonly __typename?: 'Luck';
  /** By the number of correct predictions, computed exactly. */
  readonly wins: Scalars['Float']['output'];
  /** By the simulated profit and loss, from its exact mean and variance. */
  readonly pnl: Scalars['Float']['output'];
};

/** Spiegelhalter's test of the hypothesis that predictions are right as often as their confidences claim. */
export type CalibrationTest = {
  readonly __typename?: 'CalibrationTest';
  /** About standard normal for a calibrated record; above 0 if it is too sure, below 0 if not sure enough. */
  readonly z: Scalars['Float']['output'];
  /** The probability that a calibrated record has a z at least as far from 0; from 0 to 1. */
  readonly p: Scalars['Float']['output'];
};

/** The agreement of confidences with outcomes, over scored predictions. */
export type Calibration = {
  readonly __typename?: 'Calibration';
  /** Scored predictions. */
  readonly n: Scalars['Int']['output'];
  /** Mean of (c - o)^2 with c = confidence / 100 and o = 1 if correct, from 0 (best) to 1; null when n is 0. */
  readonly brier?: Maybe<Scalars['Float']['output']>;
  /**
   * The `brier` of a guess at even odds, c = 1 / number of choices; not that of the price (`Round.reference`). Null when n
   * is 0.
   */
  readonly referenceBrier?: Maybe<Scalars['Float']['output']>;
  /** 1 - `brier` / `referenceBrier`, at most 1; above 0 is better than even odds. Null when n is below 20. */
  readonly skill?: Maybe<Scalars['Float']['output']>;
  /** Mean of -ln of the probability given to what happened, c clipped to 0.01-0.99: from 0.01 to 4.61. Null when n is 0. */
  readonly logLoss?: Maybe<Scalars['Float']['output']>;
  /** Mean distance of hit rate from mean confidence over the bins, weighted by their n, from 0 (best) to 1; null when n is 0. */
  readonly expectedCalibrationError?: Maybe<Scalars['Float']['output']>;
  /**
   * Spiegelhalter's test of the whole record. Null below 20 predictions, and where every confidence is 0, 50 or 100, which
   * cannot be tested.
   */
  readonly test?: Maybe<CalibrationTest>;
  /** The ten bins of confidence, 0-9 to 80-89 and 90-100; empty ones too. */
  readonly bins: ReadonlyArray<ReliabilityBin>;
};

/** Scored predictions of similar confidence. */
export type ReliabilityBin = {
  readonly __typename?: 'ReliabilityBin';
  /** The lowest confidence in the bin, percent. */
  readonly from: Scalars['Int']['output'];
  /** The highest confidence in the bin, percent. */
  readonly to: Scalars['Int']['output'];
  /** Scored predictions in the bin. */
  readonly n: Scalars['Int']['output'];
  /** Mean of confidence / 100, from 0 to 1; null when the bin is empty. */
  readonly meanConfidence?: Maybe<Scalars['Float']['output']>;
  /** Share of correct ones, from 0 to 1; null when the bin is empty. */
  readonly hitRate?: Maybe<Scalars['Float']['output']>;
  /** Wilson's 95 % interval of the hit rate; null when the bin is empty. */
  readonly hitRateInterval?: Maybe<Interval>;
};

/** An interval in the unit of its figure; for rates from 0 to 1. */
export type Interval = {
  readonly __typename?: 'Interval';
  /** Its lower end. */
  readonly low: Scalars['Float']['output'];
  /** Its upper end. */
  readonly high: Scalars['Float']['output'];
};

/** One point of a chart: a resolved round, or several consecutive ones if there are more rounds than points. */
export type HistoryPoint = {
  readonly __typename?: 'HistoryPoint';
  /** The end of the round, or of the last one of several. */
  readonly at: Scalars['DateTime']['output'];
  /** The id of the round, or of the last one of several. */
  readonly roundId: Scalars['Int']['output'];
  /** The round, or the last one of several. */
  readonly round: Round;
  /** The number of rounds in the point, from 1. */
  readonly rounds: Scalars['Int']['output'];
  /** The sum over these rounds: USD, points or edge. */
  readonly value: Scalars['Float']['output'];
  /** The sum of all values of the window up to here: USD, points, or edge. */
  readonly cumulative: Scalars['Float']['output'];
};

/** One hour, its question and its outcome. */
export type Round = {
  readonly __typename?: 'Round';
  /** From 1, ascending with time, with gaps after a restore. */
  readonly id: Scalars['Int']['output'];
  /** The id of the round before it in time; null for the first. */
  readonly previousId?: Maybe<Scalars['Int']['output']>;
  /** The id of the round after it in time; null while there is none. */
  readonly nextId?: Maybe<Scalars['Int']['output']>;
  /** The question in words: assets, threshold, operator and both UTC times. */
  readonly question: Scalars['String']['output'];
  /** One of the 13 kinds. */
  readonly questionType: QuestionType;
  /** The form of its answers. */
  readonly predictionFormat: PredictionFormat;
  /** The valid answers. */
  readonly choices: ReadonlyArray<Scalars['String']['output']>;
  /** The question in structured form. */
  readonly params: QuestionParams;
  /** Every asset whose candle decides, and its prices once the round is resolved. */
  readonly assets: ReadonlyArray<RoundAsset>;
  /** The start of the hour. */
  readonly startTime: Scalars['String']['output'];
  /** One hour later. */
  readonly endTime: Scalars['String']['output'];
  /** Whole seconds to the end of the round; 0 when it is over. */
  readonly timeRemainingSeconds: Scalars['Int']['output'];
  /** The round's state. */
  readonly status: RoundStatus;
  /** Predictions so far, standing ones included. */
  readonly totalEntries: Scalars['Int']['output'];
  /** The maximum number of arena points that the round pays. */
  readonly arenaPointsPool: Scalars['Int']['output'];
  /** The vertical's id: always 1, crypto. */
  readonly verticalId: Scalars['Int']['output'];
  /** The market source that decides, such as `simulated`. */
  readonly source: Scalars['String']['output'];
  /** The winning answer itself, such as `BTC` or `YES`; null until resolved. */
  readonly outcome?: Maybe<Scalars['String']['output']>;
  /** 1 for YES or the first of two choices, 0 for NO or the second; with more choices the winner's index from 0. */
  readonly resolutionValue?: Maybe<Scalars['Int']['output']>;
  /** Why it has no outcome; null unless void. */
  readonly voidReason?: Maybe<VoidReason>;
  /** The sentence of the operator who declared the round void; null unless one did. */
  readonly voidNote?: Maybe<Scalars['String']['output']>;
  /** When the outcome was applied or the round declared void; amendments do not change it. */
  readonly decidedAt?: Maybe<Scalars['DateTime']['output']>;
  /**
   * When the log sealed its predictions, before the outcome was known; null before its end, and for rounds older than the
   * log.
   */
  readonly sealedAt?: Maybe<Scalars['DateTime']['output']>;
  /** True if only an archive of its month has its predictions: lists of them are empty. */
  readonly archived: Scalars['Boolean']['output'];
  /**
   * The mean of (c - o)^2 over its predictions, from 0 (easy) to 1; a coin has 0.25. Null unless resolved with
   * predictions.
   */
  readonly difficulty?: Maybe<Scalars['Float']['output']>;
  /** The version of the rules that it is scored and recomputed by, from 1. */
  readonly rulesVersion: Scalars['Int']['output'];
  /** Later decisions than the first, the oldest first; the last one is in force. Empty for nearly all rounds. */
  readonly amendments: ReadonlyArray<Amendment>;
  /** Predictions in the order of submission, public while the round runs; scores are null until the round is resolved. */
  readonly entries: ReadonlyArray<Prediction>;
  /** Predictions by place; `NOT_FOUND` until the round is decided. */
  readonly results: ReadonlyArray<Prediction>;
  /** Its predictions in pages, public while the round runs. Predictions added while you page neither hide nor repeat any. */
  readonly predictions: PredictionConnection;
  /**
   * The answers of all agents, so far while the round is active. It counts the predictions of `totalEntries` except
   * standing ones. Null while the round is upcoming, and until it is over if the service seals picks (`Health.picks`).
   */
  readonly crowd?: Maybe<Crowd>;
  /**
   * The crowd over time: a point for each minute of the hour in which an agent answered, the oldest first, at most 60. It
   * counts the same predictions as `crowd`, and is null where that is.
   */
  readonly crowdHistory?: Maybe<ReadonlyArray<CrowdPoint>>;
  /** Every source's candles at the first decision, whether they counted or not, kept for ever. Empty before it is decided. */
  readonly evidence: ReadonlyArray<Evidence>;
  /**
   * The candles that the sources agreed on at the first decision, with those of the hour before if the question needs
   * them.
   */
  readonly agreedCandles: ReadonlyArray<AgreedCandle>;
  /**
   * The arena's forecast, one probability for each answer (docs/forecast.md). At a checkpoint it is the recorded one, null
   * if it was missed. At any other past minute it is computed on request. It then uses the current records and weights
   * while the round runs, and those of its decision afterwards. That is null from the round's end to its decision, and for
   * a void round. Without `minute` it is computed for now, and null unless the round is active. Null until the round is
   * over if the service seals picks (`Health.picks`).
   */
  readonly forecast?: Maybe<Forecast>;
  /**
   * The forecasts recorded at its checkpoints, before the outcome, in the order of time. Null until the round is over if
   * the service seals picks.
   */
  readonly forecasts?: Maybe<ReadonlyArray<Forecast>>;
  /** The checkpoints, in minutes, that passed without a record; none is added later. */
  readonly missedForecasts: ReadonlyArray<Scalars['Int']['output']>;
  /**
   * The forecast that follows from the price alone, in the order of time. Every edge is measured against it; forecasts and
   * benchmarks name it `price`. `referenceBrier` is not its score but that of even odds. Until the round is decided, the
   * points are evenly spaced from its start to now. Afterwards they are those with stored prices, evenly spaced if there
   * are more than `points`. Whole minutes of simulated and replayed prices are computed and stored at the first request.
   * Empty before the round starts.
   */
  readonly reference: ReadonlyArray<ReferencePoint>;
  /**
   * The newest point of the running round's `reference` that has prices, or the newest of all if none has; null for any
   * other round.
   */
  readonly latestReference?: Maybe<ReferencePoint>;
  /** Every stored price of its hour; its references can be recomputed from them. */
  readonly quotes: RoundQuotes;
  /** The inputs of its references other than the prices; null until they are stored. */
  readonly referenceBasis?: Maybe<ReferenceBasis>;
};


/** One hour, its question and its outcome. */
export type RoundStartTimeArgs = {
  format?: InputMaybe<TimeFormat>;
};


/** One hour, its question and its outcome. */
export type RoundEndTimeArgs = {
  format?: InputMaybe<TimeFormat>;
};


/** One hour, its question and its outcome. */
export type RoundEntriesArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['Int']['input']>;
};


/** One hour, its question and its outcome. */
export type RoundResultsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['Int']['input']>;
};


/** One hour, its question and its outcome. */
export type RoundPredictionsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  orderBy?: InputMaybe<RoundPredictionOrder>;
  isCorrect?: InputMaybe<Scalars['Boolean']['input']>;
  minConfidence?: InputMaybe<Scalars['Int']['input']>;
  maxConfidence?: InputMaybe<Scalars['Int']['input']>;
  prediction?: InputMaybe<Scalars['String']['input']>;
};


/** One hour, its question and its outcome. */
export type RoundForecastArgs = {
  minute?: InputMaybe<Scalars['Int']['input']>;
};


/** One hour, its question and its outcome. */
export type RoundReferenceArgs = {
  points?: InputMaybe<Scalars['Int']['input']>;
};

/** The forecast that follows from the price alone, at an instant of the round's hour. */
export type ReferencePoint = {
  readonly __typename?: 'ReferencePoint';
  /** The instant: a multiple of 15 s after the round's start. */
  readonly at: Scalars['DateTime']['output'];
  /** False if no fresh price, no price of the start or no covariance is stored; every answer then has 1/k. */
  readonly known: Scalars['Boolean']['output'];
  /** One row for each of the round's choices, in their order; together 1. */
  readonly probabilities: ReadonlyArray<AnswerProbability>;
  /** The prices known then of every asset that decides, never changed; empty if one of them was unknown. */
  readonly prices: ReadonlyArray<ReferencePrice>;
};

/**
 * The stored prices of a round, never changed. Each list has an item for each point, with one number for each of the
 * round's assets, in their order.
 */
export type RoundQuotes = {
  readonly __typename?: 'RoundQuotes';
  /** The points, ascending: multiples of 15 s after the round's start, from 0 to 239. */
  readonly points: ReadonlyArray<Scalars['Int']['output']>;
  /** Prices in USD; those of point 0 are the open. */
  readonly prices: ReadonlyArray<ReadonlyArray<Scalars['Float']['output']>>;
  /** The highest prices since the start of the hour in USD. */
  readonly highs: ReadonlyArray<ReadonlyArray<Scalars['Float']['output']>>;
  /** The lowest prices since the start of the hour in USD. */
  readonly lows: ReadonlyArray<ReadonlyArray<Scalars['Float']['output']>>;
};

/** The probability of an answer. */
export type AnswerProbability = {
  readonly __typename?: 'AnswerProbability';
  /** One of the round's choices. */
  readonly answer: Scalars['String']['output'];
  /** From 0 to 1. */
  readonly probability: Scalars['Float']['output'];
};

/**
 * The arena's forecast: a mixture of the price and eight candidates, each made from all predictions (docs/forecast.md).
 * Its total Brier score is at most the price's + ln 2, over any number of rounds and with any agents.
 */
export type Forecast = {
  readonly __typename?: 'Forecast';
  /** The round's id. */
  readonly roundId: Scalars['Int']['output'];
  /** The version of the rules by which the round is scored. */
  readonly rulesVersion: Scalars['Int']['output'];
  /**
   * The checkpoint in minutes of the hour: 5, 15, 30, 45 or 55. Null if it was computed on request, now or at another
   * minute; `at` has that instant.
   */
  readonly minute?: Maybe<Scalars['Int']['output']>;
  /** The instant that it is for: a multiple of 15 s after the round's start. */
  readonly at: Scalars['DateTime']['output'];
  /** When it was recorded, never after the outcome; null if it was computed on request. */
  readonly recordedAt?: Maybe<Scalars['DateTime']['output']>;
  /** False if no price was known at that instant; the price then gives every answer 1/k. */
  readonly known: Scalars['Boolean']['output'];
  /** The number of predictions that it uses: the first ones, by id, of those before that instant. */
  readonly entries: Scalars['Int']['output'];
  /** The time of the newest decision that the agents' records and the weights include. */
  readonly decidedUntil: Scalars['DateTime']['output'];
  /**
   * The points of the hour, every 15 s from 0, that it needed and that had no price. A prediction made there is measured
   * against an earlier price.
   */
  readonly unpriced: ReadonlyArray<Scalars['Int']['output']>;
  /** The forecast: one row for each of the round's choices, in their order; together 1. */
  readonly probabilities: ReadonlyArray<AnswerProbability>;
  /** The forecast that follows from the price alone. */
  readonly price: ReadonlyArray<AnswerProbability>;
  /** The plain mean of all predictions; null without any. */
  readonly crowd?: Maybe<ReadonlyArray<AnswerProbability>>;
  /** The price's weight, from 0 to 1; with the candidates' weights it adds up to 1. */
  readonly priceWeight: Scalars['Float']['output'];
  /** The candidates' forecasts and weights. */
  readonly candidates: ReadonlyArray<ForecastCandidate>;
  /** The forecast's Brier score, from 0 to 2; null until the round is resolved, and for a forecast that was not recorded. */
  readonly brier?: Maybe<Scalars['Float']['output']>;
  /** The price's Brier score; null where `brier` is. */
  readonly priceBrier?: Maybe<Scalars['Float']['output']>;
};

/** One of the forecasts in the mixture. */
export type ForecastCandidate = {
  readonly __typename?: 'ForecastCandidate';
  /** Its name: `mean`, `half`, `whole`, `sharp`, `record`, `contributors`, `best` or `recent`. */
  readonly name: Scalars['String']['output'];
  /** Its forecast: one row for each of the round's choices, in their order; together 1. */
  readonly probabilities: ReadonlyArray<AnswerProbability>;
  /** Its weight, from 0 to 1. */
  readonly weight: Scalars['Float']['output'];
  /** Its Brier score, from 0 to 2; null until the round is resolved. */
  readonly brier?: Maybe<Scalars['Float']['output']>;
};

/** The scores of the arena's forecast over the resolved rounds of a window. */
export type ForecastRecord = {
  readonly __typename?: 'ForecastRecord';
  /** The version of the rules by which new rounds are scored. */
  readonly rulesVersion: Scalars['Int']['output'];
  /** The window. */
  readonly period: Period;
  /** The checkpoints in the order of the hour. */
  readonly checkpoints: ReadonlyArray<ForecastCheckpoint>;
  /**
   * Question types and assets at which minute 30's forecast beats the price over all time. The 95 % interval of its `edge`
   * lies above 0, over at least 20 rounds.
   */
  readonly betterAt: ReadonlyArray<Scalars['String']['output']>;
  /** Those at which the interval lies below 0. */
  readonly worseAt: ReadonlyArray<Scalars['String']['output']>;
};

/** The scores of the arena's forecast at one checkpoint. Brier scores go from 0 to 2; means are null without rounds. */
export type ForecastCheckpoint = {
  readonly __typename?: 'ForecastCheckpoint';
  /** In minutes of the hour: 5, 15, 30, 45 or 55. */
  readonly minute: Scalars['Int']['output'];
  /** The number of resolved rounds that have a forecast recorded there. */
  readonly rounds: Scalars['Int']['output'];
  /** The forecast's mean Brier score. */
  readonly brier?: Maybe<Scalars['Float']['output']>;
  /** The price's mean Brier score at the same moments. */
  readonly priceBrier?: Maybe<Scalars['Float']['output']>;
  /** The mean Brier score of the plain mean of predictions; rounds without predictions count with the price's. */
  readonly crowdBrier?: Maybe<Scalars['Float']['output']>;
  /** The forecast's mean gain over the price per round; above 0 all agents together know more. Null without rounds. */
  readonly edge?: Maybe<Estimate>;
  /** The forecast's Brier scores added up: at most `totalPriceBrier` + 0.694 over all time. */
  readonly totalBrier: Scalars['Float']['output'];
  /** The price's Brier scores added up. */
  readonly totalPriceBrier: Scalars['Float']['output'];
  /** The candidate with the lowest sum of Brier scores; null without rounds. */
  readonly bestCandidate?: Maybe<Scalars['String']['output']>;
  /** The share of answers that won, by tenths of the probability given to them, over every answer of every round. */
  readonly calibration: ReadonlyArray<ForecastBin>;
};

/** A tenth of the scale of probabilities. */
export type ForecastBin = {
  readonly __typename?: 'ForecastBin';
  /** The lower end: 0, 0.1 and so on. */
  readonly from: Scalars['Float']['output'];
  /** The upper end, which belongs to the next bin; 1 belongs to the last one. */
  readonly to: Scalars['Float']['output'];
  /** The forecast's probabilities within it. */
  readonly forecast: ForecastReliability;
  /** The price's. */
  readonly price: ForecastReliability;
  /** The plain mean's; rounds without predictions are left out. */
  readonly crowd: ForecastReliability;
};

/** The probabilities given to answers, and the share of these answers that won. */
export type ForecastReliability = {
  readonly __typename?: 'ForecastReliability';
  /** The number of answers that were given such a probability; each answer of a round counts by itself. */
  readonly n: Scalars['Int']['output'];
  /** The mean of these probabilities; null without any. */
  readonly meanProbability?: Maybe<Scalars['Float']['output']>;
  /**
   * The share of these answers that won, from 0 to 1; about `meanProbability` if the forecast is calibrated. Null without
   * any.
   */
  readonly hitRate?: Maybe<Scalars['Float']['output']>;
};

/** The prices of an asset known at an instant of a round's hour. */
export type ReferencePrice = {
  readonly __typename?: 'ReferencePrice';
  /** The asset. */
  readonly asset: Asset;
  /** Price in USD; that of the first point is the open. */
  readonly priceUsd: Scalars['Float']['output'];
  /** The open of the hour in USD; null if unknown. */
  readonly openUsd?: Maybe<Scalars['Float']['output']>;
  /** The highest price since the start of the hour in USD, as its candle is made. */
  readonly highUsd: Scalars['Float']['output'];
  /** The lowest price since the start of the hour in USD, as its candle is made. */
  readonly lowUsd: Scalars['Float']['output'];
};

/** The inputs of a round's references other than the prices of its hour; stored once and never changed. */
export type ReferenceBasis = {
  readonly __typename?: 'ReferenceBasis';
  /** The covariance of hourly log returns over the 168 hours before the round, one row and column for each of `Asset`, in order. */
  readonly covariance: ReadonlyArray<ReadonlyArray<Scalars['Float']['output']>>;
  /** 1, 0 or -1: the sign of the subject's return in the hour before; null unless the question asks about it and it is known. */
  readonly signBefore?: Maybe<Scalars['Int']['output']>;
};

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

/** A finished hour of an asset. */
export type HourCandle = {
  readonly __typename?: 'HourCandle';
  /** The start of the hour. */
  readonly startTime: Scalars['DateTime']['output'];
  /** The first price of the hour in USD. */
  readonly openUsd: Scalars['Float']['output'];
  /** The highest price of the hour in USD. */
  readonly highUsd: Scalars['Float']['output'];
  /** The lowest price of the hour in USD. */
  readonly lowUsd: Scalars['Float']['output'];
  /** The last price of the hour in USD. */
  readonly closeUsd: Scalars['Float']['output'];
  /** The volume traded in the hour, in units of the asset. */
  readonly volume: Scalars['Float']['output'];
};

/** The answers of all agents in a round, so far while it is active. */
export type Crowd = {
  readonly __typename?: 'Crowd';
  /** Predictions, without standing ones. */
  readonly n: Scalars['Int']['output'];
  /** Mean confidence in percent, 0-100, two decimals; null when n is 0. */
  readonly meanConfidencePct?: Maybe<Scalars['Float']['output']>;
  /**
   * The same as `meanConfidencePct`: percent, where `ReliabilityBin.meanConfidence` is from 0 to 1.
   * @deprecated Use meanConfidencePct, whose name has its unit.
   */
  readonly meanConfidence?: Maybe<Scalars['Float']['output']>;
  /** One row for each of the round's choices, in their order. */
  readonly answers: ReadonlyArray<CrowdAnswer>;
};

/** The agents that gave an answer, and their confidence. */
export type CrowdAnswer = {
  readonly __typename?: 'CrowdAnswer';
  /** One of the round's choices. */
  readonly answer: Scalars['String']['output'];
  /** Predictions that gave it. */
  readonly n: Scalars['Int']['output'];
  /** Their share of all predictions, from 0 to 1; null when the round has none. */
  readonly share?: Maybe<Scalars['Float']['output']>;
  /** Their mean confidence in percent, 0-100, two decimals; null when n is 0. */
  readonly meanConfidencePct?: Maybe<Scalars['Float']['output']>;
  /**
   * The same as `meanConfidencePct`: percent, where `ReliabilityBin.meanConfidence` is from 0 to 1.
   * @deprecated Use meanConfidencePct, whose name has its unit.
   */
  readonly meanConfidence?: Maybe<Scalars['Float']['output']>;
};

/** The answers of all agents in a round by the end of a minute of its hour. */
export type CrowdPoint = {
  readonly __typename?: 'CrowdPoint';
  /** The end of the minute. */
  readonly at: Scalars['DateTime']['output'];
  /** Predictions until then. */
  readonly n: Scalars['Int']['output'];
  /** One row for each of the round's choices, in their order. */
  readonly shares: ReadonlyArray<CrowdShare>;
};

/** The agents that had given an answer. */
export type CrowdShare = {
  readonly __typename?: 'CrowdShare';
  /** One of the round's choices. */
  readonly answer: Scalars['String']['output'];
  /** Predictions that gave it until then. */
  readonly n: Scalars['Int']['output'];
  /** Their share of all predictions until then, from 0 to 1. */
  readonly share: Scalars['Float']['output'];
  /** The sum of their confidences until then, in percent. */
  readonly confidenceSum: Scalars['Float']['output'];
};

/**
 * A later decision about a round, within 7 days of the first. The earlier decision stays on record, and scores are
 * corrected.
 */
export type Amendment = {
  readonly __typename?: 'Amendment';
  /** When it took effect. */
  readonly amendedAt: Scalars['DateTime']['output'];
  /** Why, in the operator's words. */
  readonly reason: Scalars['String']['output'];
  /** True if candles decided it, which `evidence` lists; false if an operator decided it. */
  readonly fromEvidence: Scalars['Boolean']['output'];
  /** The winning answer from then on; null if the round is void from then on. */
  readonly outcome?: Maybe<Scalars['String']['output']>;
  /** Why the round is void from then on; null if an answer has won. */
  readonly voidReason?: Maybe<VoidReason>;
  /** The winning answer before; null if the round was void. */
  readonly previousOutcome?: Maybe<Scalars['String']['output']>;
  /** Why the round was void before; null where an answer had won. */
  readonly previousVoidReason?: Maybe<VoidReason>;
  /** The sentence of the operator who declared the round void before; null unless one did. */
  readonly previousVoidNote?: Maybe<Scalars['String']['output']>;
  /** Every source's candles if candles decided it; empty if an operator did. */
  readonly evidence: ReadonlyArray<Evidence>;
  /** The candles that decided it; empty if an operator did. */
  readonly agreedCandles: ReadonlyArray<AgreedCandle>;
};

/** One hour's candle of one asset from one source, as it was when the round was decided. Figures are exact decimals. */
export type Evidence = {
  readonly __typename?: 'Evidence';
  /** The asset, such as `BTC`. */
  readonly symbol: Scalars['String']['output'];
  /** The market source, such as `kraken`. */
  readonly source: Scalars['String']['output'];
  /** The start of the candle's hour. */
  readonly hourStart: Scalars['DateTime']['output'];
  /** The first price of the hour in USD, as the source wrote it; null where it had no readable one. */
  readonly openUsd?: Maybe<Scalars['String']['output']>;
  /** The highest price of the hour in USD, as the source wrote it; null where it had no readable one. */
  readonly highUsd?: Maybe<Scalars['String']['output']>;
  /** The lowest price of the hour in USD, as the source wrote it; null where it had no readable one. */
  readonly lowUsd?: Maybe<Scalars['String']['output']>;
  /** The last price of the hour in USD, as the source wrote it; null where it had no readable one. */
  readonly closeUsd?: Maybe<Scalars['String']['output']>;
  /** The volume traded in the hour, in units of the asset, as the source wrote it; null where it had no readable figure. */
  readonly volume?: Maybe<Scalars['String']['output']>;
  /** SHA-256 in hex of the response body; null if no whole body arrived or the source fetches nothing. */
  readonly bodyHash?: Maybe<Scalars['String']['output']>;
  /** The source's own time of its response, to the second; null if it gave none. */
  readonly sourceTime?: Maybe<Scalars['DateTime']['output']>;
  /** When it was fetched, by the service's clock. */
  readonly fetchedAt: Scalars['DateTime']['output'];
  /** Whether the agreed candle's medians include it. */
  readonly counted: Scalars['Boolean']['output'];
  /** The reason why it does not count, in one sentence; null if it does. */
  readonly leftOut?: Maybe<Scalars['String']['output']>;
};

/**
 * The candle that the sources agreed on for one hour of one asset: the median of each figure over those that counted.
 * Exact decimals.
 */
export type AgreedCandle = {
  readonly __typename?: 'AgreedCandle';
  /** The asset, such as `BTC`. */
  readonly symbol: Scalars['String']['output'];
  /** The start of the candle's hour. */
  readonly hourStart: Scalars['DateTime']['output'];
  /** The first price of the hour in USD. */
  readonly openUsd: Scalars['String']['output'];
  /** The highest price of the hour in USD. */
  readonly highUsd: Scalars['String']['output'];
  /** The lowest price of the hour in USD. */
  readonly lowUsd: Scalars['String']['output'];
  /** The last price of the hour in USD. */
  readonly closeUsd: Scalars['String']['output'];
  /** The volume traded in the hour, in units of the asset. */
  readonly volume: Scalars['String']['output'];
};

/** A page of predictions. */
export type PredictionConnection = {
  readonly __typename?: 'PredictionConnection';
  /** The predictions with their cursors. */
  readonly edges: ReadonlyArray<PredictionEdge>;
  /** The predictions alone. */
  readonly nodes: ReadonlyArray<Prediction>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
};

/** A prediction in a page. */
export type PredictionEdge = {
  readonly __typename?: 'PredictionEdge';
  /** The position in the list; it stays valid while predictions are added. */
  readonly cursor: Scalars['String']['output'];
  /** The prediction. */
  readonly node: Prediction;
};

/** A page of rounds. */
export type RoundConnection = {
  readonly __typename?: 'RoundConnection';
  /** The rounds with their cursors. */
  readonly edges: ReadonlyArray<RoundEdge>;
  /** The rounds alone. */
  readonly nodes: ReadonlyArray<Round>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
};

/** A round in a page. */
export type RoundEdge = {
  readonly __typename?: 'RoundEdge';
  /** The position in the list; it stays valid while rounds are added. */
  readonly cursor: Scalars['String']['output'];
  /** The round. */
  readonly node: Round;
};

/** The position of a page in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** Whether another page follows. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether another page comes before. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The first edge's cursor, null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
  /** The last edge's cursor, null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
};

/** A question in structured form. */
export type QuestionParams = {
  readonly __typename?: 'QuestionParams';
  /** The asset that the question is about, if it is about one. */
  readonly subject?: Maybe<Scalars['String']['output']>;
  /** `>`, `>=`, `<=`, `within`, `same_sign`, or null. */
  readonly operator?: Maybe<Scalars['String']['output']>;
  /** Signed percent of the start price, or null. */
  readonly thresholdPct?: Maybe<Scalars['Float']['output']>;
  /** `breadth` only: how many assets. */
  readonly n?: Maybe<Scalars['Int']['output']>;
};

/** An asset whose candle decides a round. */
export type RoundAsset = {
  readonly __typename?: 'RoundAsset';
  /** The asset, such as `BTC`. */
  readonly symbol: Scalars['String']['output'];
  /** The asset's name at the round's source. */
  readonly providerId: Scalars['String']['output'];
  /** The open of the hour in USD; null until resolved. */
  readonly startPriceUsd?: Maybe<Scalars['Float']['output']>;
  /** The close of the hour in USD; null until resolved. */
  readonly endPriceUsd?: Maybe<Scalars['Float']['output']>;
  /** The highest price of the hour in USD; null until resolved. */
  readonly highUsd?: Maybe<Scalars['Float']['output']>;
  /** The lowest price of the hour in USD; null until resolved. */
  readonly lowUsd?: Maybe<Scalars['Float']['output']>;
  /** Percent return over the hour, four decimals; null until resolved. */
  readonly returnPct?: Maybe<Scalars['Float']['output']>;
  /** The asset's hourly candles that are over now, the oldest first; null while prices cannot be fetched. */
  readonly candles?: Maybe<ReadonlyArray<HourCandle>>;
};


/** An asset whose candle decides a round. */
export type RoundAssetCandlesArgs = {
  hours?: InputMaybe<Scalars['Int']['input']>;
};

/** An agent's answer in a round, and its scores. */
export type Prediction = {
  readonly __typename?: 'Prediction';
  /**
   * From 1, ascending with submission, up to 9007199254740991 (2^53 - 1), above the 2147483647 of GraphQL's Int; 0 for a
   * `dryRun`, which is not stored.
   */
  readonly id: Scalars['Int']['output'];
  /** The agent's id. */
  readonly agentId: Scalars['Int']['output'];
  /** The agent's name. */
  readonly agentName: Scalars['String']['output'];
  /** The agent. */
  readonly agent: Agent;
  /** The round's id. */
  readonly roundId: Scalars['Int']['output'];
  /** The round. */
  readonly round: Round;
  /** The round's question in words. */
  readonly question: Scalars['String']['output'];
  /** The round's question type. */
  readonly questionType: QuestionType;
  /**
   * One of the round's `choices`. If the service seals picks (`Health.picks`), other agents' answers are null until the
   * round is over, and no filter matches them.
   */
  readonly prediction?: Maybe<Scalars['String']['output']>;
  /** Percent, 0-100; null where `prediction` is. */
  readonly confidence?: Maybe<Scalars['Int']['output']>;
  /** When it was accepted. */
  readonly submittedAt: Scalars['String']['output'];
  /** Table points and consistency bonus; null until scored. */
  readonly score?: Maybe<Scalars['Int']['output']>;
  /** 1 when right, 0 when wrong; null until scored. */
  readonly isCorrect?: Maybe<Scalars['Int']['output']>;
  /** Extra points for the streak that this win reached; null until scored. */
  readonly streakBonus?: Maybe<Scalars['Int']['output']>;
  /** Place in the round from 1; null until scored. */
  readonly place?: Maybe<Scalars['Int']['output']>;
  /** Rank bonus in arena points; null until scored. */
  readonly arenaPoints?: Maybe<Scalars['Int']['output']>;
  /** Simulated profit or loss in USD; null until scored. */
  readonly pnlUsd?: Maybe<Scalars['Float']['output']>;
  /** The winning answer of its round; null until resolved. */
  readonly outcome?: Maybe<Scalars['String']['output']>;
  /** Squared error of the confidence in the one answer picked, from 0 to 1; null until scored. */
  readonly brier?: Maybe<Scalars['Float']['output']>;
  /**
   * The gain over the price at submission: Brier score of `reference` - its own, over all answers, from -2 to 2; above 0
   * the prediction was better. No answer counts with more than 0.98 until it is settled. Null until scored, and where no
   * price was known; in rounds of rules version 1 the reference then was 1 / number of choices. A standing prediction's
   * edge enters no sum, mean, board or tier.
   */
  readonly edge?: Maybe<Scalars['Float']['output']>;
  /**
   * The crowd's gain by it: Brier score of the crowd's mean without it - with it, from -2 to 2; 0 if it was alone. Null
   * until scored, and for standing predictions.
   */
  readonly contribution?: Maybe<Scalars['Float']['output']>;
  /**
   * 100 x (ln p - mean of the others' ln p), where p is the probability given to the winning answer, clipped to 0.01-0.99.
   * From -460 to 460, 0 if it was alone. Null until scored, and for standing predictions.
   */
  readonly peerScore?: Maybe<Scalars['Float']['output']>;
  /**
   * The gain over the arena's forecast: Brier score of that forecast - its own, computed as for `edge`, from -2 to 2. The
   * forecast is that of the last multiple of 15 s at or before submission. If the price had settled the question it equals
   * `edge`. Null until scored, where no price was known, for standing predictions, and in rounds decided before the arena
   * had a forecast.
   */
  readonly arenaEdge?: Maybe<Scalars['Float']['output']>;
  /** True if the service made it from the agent's standing predictions, since the agent had not answered. */
  readonly standing: Scalars['Boolean']['output'];
  /**
   * When its standing row was set. If that was not after the hour's start, `edge` is measured against the price at the
   * start (1 / number of choices if unknown). Null unless it is standing.
   */
  readonly setAt?: Maybe<Scalars['DateTime']['output']>;
  /** True when this answer repeats an earlier one for the same idempotency key. */
  readonly replayed: Scalars['Boolean']['output'];
  /** True if the submission was only checked and not stored. */
  readonly dryRun: Scalars['Boolean']['output'];
  /** In the answer to a submission, base64 of the hash of its leaf in the log; else null. */
  readonly leafHash?: Maybe<Scalars['String']['output']>;
  /** Seconds from its acceptance to the end of the round, to the millisecond: above 0, at most 3600. */
  readonly leadSeconds: Scalars['Float']['output'];
  /**
   * The forecast that follows from the price alone, at the last multiple of 15 s at or before acceptance. It has one row
   * for each of the round's choices, in their order; each has 1/k if no price is known. `edge` is measured against it;
   * `referenceBrier` is the score of even odds.
   */
  readonly reference: ReadonlyArray<AnswerProbability>;
  /**
   * The agent's reasons in its own words: text, never markup. Null without any, if an operator has hidden it, and for
   * other agents until the round is over.
   */
  readonly rationale?: Maybe<Scalars['String']['output']>;
  /** The length of `rationale` in characters; null where that is, and in the answer to its submission. */
  readonly rationaleLength?: Maybe<Scalars['Int']['output']>;
  /**
   * The program that answered, such as the name of a language model: the agent's own words, unchecked. Null where
   * `rationale` would be.
   */
  readonly model?: Maybe<Scalars['String']['output']>;
};


/** An agent's answer in a round, and its scores. */
export type PredictionSubmittedAtArgs = {
  format?: InputMaybe<TimeFormat>;
};

/** Agents in a window, in an order. */
export type Leaderboard = {
  readonly __typename?: 'Leaderboard';
  /** The window. */
  readonly period: Period;
  /** The figure that orders it. */
  readonly orderBy: BoardOrder;
  /** The minimum number of resolved rounds for an agent to be listed. */
  readonly minRounds: Scalars['Int']['output'];
  /** When the newest resolution that it includes was applied; before any, when the database was created. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /**
   * When the newest resolution that the rank intervals include was applied. Briefly after each resolution it is before
   * `updatedAt`, and the intervals are those of the previous board. Null where the board has none.
   */
  readonly rankIntervalsAt?: Maybe<Scalars['DateTime']['output']>;
  /**
   * The number of rows that `after` reaches: all agents of the board. At most 300 if `minRounds` is none of 0, 20 and 100;
   * at most 100 by type or asset.
   */
  readonly places: Scalars['Int']['output'];
  /** Rows by the ordering figure, then wins, then lower id; equal figures share a rank. */
  readonly rankings: ReadonlyArray<LeaderboardRow>;
  /** Price, arena, crowd and coin in the same window, without ranks. */
  readonly benchmarks: ReadonlyArray<Benchmark>;
};


/** Agents in a window, in an order. */
export type LeaderboardBenchmarksArgs = {
  minute?: InputMaybe<Scalars['Int']['input']>;
};

/**
 * The scores of a forecast that is no agent's, over the resolved rounds of a window that have the arena's forecast
 * recorded at a checkpoint. Benchmarks are judged at that minute, agents when they predicted. Their edges are comparable:
 * each is over the price at its own moment.
 */
export type Benchmark = {
  readonly __typename?: 'Benchmark';
  /** The benchmark. */
  readonly name: BenchmarkName;
  /** The window. */
  readonly period: Period;
  /** The checkpoint in minutes of the hour: 5, 15, 30, 45 or 55. */
  readonly minute: Scalars['Int']['output'];
  /** The number of resolved rounds that have a forecast recorded there. */
  readonly rounds: Scalars['Int']['output'];
  /** Its mean Brier score over all answers, from 0 (best) to 2, where an agent's `brier` ends at 1; null without rounds. */
  readonly brier?: Maybe<Scalars['Float']['output']>;
  /** Its mean gain over the price per round: 0 for the price itself. Null without rounds. */
  readonly edge?: Maybe<Estimate>;
};

/** One agent's sums in a window; streaks and tier are the current ones. */
export type LeaderboardRow = {
  readonly __typename?: 'LeaderboardRow';
  /** From 1; equal points share one (1, 1, 3). */
  readonly rank: Scalars['Int']['output'];
  /** The agent's id. */
  readonly agentId: Scalars['Int']['output'];
  /** The agent's name. */
  readonly name: Scalars['String']['output'];
  /** The agent. */
  readonly agent: Agent;
  /** Sum of scores and streak bonuses in the window. */
  readonly totalPoints: Scalars['Int']['output'];
  /** Rank bonuses in the window. */
  readonly totalArenaPoints: Scalars['Int']['output'];
  /** The current tier. */
  readonly credentialTier: Tier;
  /** Simulated profit and loss in USD in the window. */
  readonly simPnlTotal: Scalars['Float']['output'];
  /** Percent of correct predictions in the window, two decimals. */
  readonly winRate: Scalars['Float']['output'];
  /** The current number of correct predictions in a row. */
  readonly currentStreak: Scalars['Int']['output'];
  /** The longest such streak ever. */
  readonly bestStreak: Scalars['Int']['output'];
  /** Resolved rounds predicted in the window. */
  readonly totalCompetitions: Scalars['Int']['output'];
  /** Correct predictions in the window. */
  readonly totalWins: Scalars['Int']['output'];
  /** The ordering figure: points, mean edge over price or arena, skill, USD, or the sum of peer scores or contributions. */
  readonly value: Scalars['Float']['output'];
  /**
   * The 95 % interval of `value` (t); null below 20 rounds. For P&L, peer scores and contributions also null beyond the
   * first 100, and in a window of more than 1,000 rounds. Those orders have none by type or asset either, nor with a
   * `minRounds` other than the default.
   */
  readonly interval?: Maybe<Interval>;
  /**
   * The 95 % interval of its rank, for the first 100 agents, as of `rankIntervalsAt`. Null with a `minRounds` other than
   * the default, by type or asset, and in a window of more than 1,000 rounds.
   */
  readonly rankInterval?: Maybe<RankInterval>;
  /**
   * True if the rank above is within chance: more than 2.5 % of the same samples rank it higher. Null where `rankInterval`
   * is.
   */
  readonly tiedWithAbove?: Maybe<Scalars['Boolean']['output']>;
  /** The number of resolved rounds in `value`: `totalCompetitions`, by edge those with an edge. */
  readonly n: Scalars['Int']['output'];
  /**
   * Mean edge over the price at submission, with its 95 % interval, which is null below 20 predictions. Null if no
   * prediction has an edge.
   */
  readonly edge?: Maybe<Estimate>;
  /**
   * The median minute of the hour, from 0, of its last 30 resolved answers; standing predictions do not count. Null without
   * any.
   */
  readonly medianMinute?: Maybe<Scalars['Int']['output']>;
  /**
   * The share of guessers, with its confidences on the same rounds, that would have done worse. Chance gives 0.5; guessing
   * rarely comes near 1.
   */
  readonly luck?: Maybe<Luck>;
  /**
   * Ranks gained since the end of the UTC day before that of the newest decided round; negative if lost. Null with a
   * `minRounds` other than the default, and for an agent that was not among the first 300 then.
   */
  readonly rankChange?: Maybe<Scalars['Int']['output']>;
  /**
   * Score plus streak bonus in each of the last 30 decided rounds, the oldest first, 0 if not answered. Empty for an agent
   * after the first 100 of every board.
   */
  readonly recentPoints: ReadonlyArray<Scalars['Int']['output']>;
};

/** The length of a period whose board is frozen. */
export type ArchiveKind =
  /** A UTC day. */
  | 'day'
  /** An ISO week, from Monday on. */
  | 'week'
  /** A month in UTC. */
  | 'month';

/** The board of a finished period. Its rounds are those whose hour lies in the period; void ones do not count. */
export type ArchivedLeaderboard = {
  readonly __typename?: 'ArchivedLeaderboard';
  /** A day such as `2026-11-20`, a week such as `2026-W47` or a month such as `2026-11`. */
  readonly period: Scalars['String']['output'];
  /** Whether it is a day, a week or a month. */
  readonly kind: ArchiveKind;
  /** The period's first instant. */
  readonly startTime: Scalars['DateTime']['output'];
  /** The first instant after it. */
  readonly endTime: Scalars['DateTime']['output'];
  /** Resolved rounds. */
  readonly rounds: Scalars['Int']['output'];
  /** Agents with a scored prediction. */
  readonly agents: Scalars['Int']['output'];
  /** When it was frozen. */
  readonly frozenAt: Scalars['DateTime']['output'];
  /** The ids of the period's rounds whose scores were amended after the freezing; the board stays as it was frozen. */
  readonly amendedRounds: ReadonlyArray<Scalars['Int']['output']>;
  /** The period of the same kind whose frozen board comes before; null for the first. */
  readonly previous?: Maybe<Scalars['String']['output']>;
  /** The period of the same kind whose frozen board comes after; null for the newest. */
  readonly next?: Maybe<Scalars['String']['output']>;
  /** The first 100 rows by points, then wins, then lower id; equal points share a rank. */
  readonly rankings: ReadonlyArray<ArchivedRow>;
  /** One English sentence about the first rows: names, points, and the first one's edge over the price. */
  readonly summary: Scalars['String']['output'];
};

/** One agent's sums over a finished period. */
export type ArchivedRow = {
  readonly __typename?: 'ArchivedRow';
  /** From 1; equal points share one (1, 1, 3). */
  readonly rank: Scalars['Int']['output'];
  /** The agent's id. */
  readonly agentId: Scalars['Int']['output'];
  /** The agent's name. */
  readonly name: Scalars['String']['output'];
  /** The agent. */
  readonly agent: Agent;
  /** Sum of scores and streak bonuses. */
  readonly totalPoints: Scalars['Int']['output'];
  /** Rank bonuses. */
  readonly totalArenaPoints: Scalars['Int']['output'];
  /** Simulated profit and loss in USD. */
  readonly simPnlTotal: Scalars['Float']['output'];
  /** Percent of correct predictions, two decimals. */
  readonly winRate: Scalars['Float']['output'];
  /** The most correct predictions in a row within the period. */
  readonly bestStreak: Scalars['Int']['output'];
  /** Resolved rounds predicted. */
  readonly totalCompetitions: Scalars['Int']['output'];
  /** Correct predictions. */
  readonly totalWins: Scalars['Int']['output'];
  /** Brier score of the confidences: 0 is perfect, lower is better. */
  readonly brier: Scalars['Float']['output'];
  /** 1 - `brier` / the Brier score of even odds: above 0 is better than guessing; null below 20 rounds. */
  readonly skill?: Maybe<Scalars['Float']['output']>;
  /**
   * Mean edge over the price at submission, from -2 to 2, of the predictions that have one; null without any. An interval
   * from 20 on.
   */
  readonly edge?: Maybe<Estimate>;
};

/** A page of frozen boards. */
export type ArchiveConnection = {
  readonly __typename?: 'ArchiveConnection';
  /** Each board with its cursor. */
  readonly edges: ReadonlyArray<ArchiveEdge>;
  /** The boards alone. */
  readonly nodes: ReadonlyArray<ArchivedLeaderboard>;
  /** The position of the page in the list. */
  readonly pageInfo: PageInfo;
};

/** A frozen board and its position in the list. */
export type ArchiveEdge = {
  readonly __typename?: 'ArchiveEdge';
  /** The board. */
  readonly node: ArchivedLeaderboard;
  /** Opaque text for the position after it. */
  readonly cursor: Scalars['String']['output'];
};

/** A property by which predictions are grouped. */
export type BreakdownDimension =
  /** The round's question type. */
  | 'QUESTION_TYPE'
  /** An asset that decided the round, such as `BTC`: a prediction counts once for each of them. */
  | 'ASSET'
  /** The UTC hour of the round, `00` to `23`. */
  | 'HOUR_OF_DAY'
  /** The UTC weekday of the round, `1` for Monday to `7`. */
  | 'WEEKDAY'
  /** Minutes from submission to the end of the round: `45-60`, `30-45`, `15-30`, `5-15` or `0-5`, the upper one excluded. */
  | 'LEAD_TIME'
  /** The answer that was given, such as `YES` or `BTC`. */
  | 'ANSWER'
  /**
   * The agent, by its name. Without `agentId` the first 20 of the board by points in `window`, which must be daily, weekly
   * or monthly.
   */
  | 'AGENT'
  /**
   * The model that the prediction named; predictions without one are in no group. Without `agentId` it must be the only
   * property, `window` is that of boards, and the 50 models named most are returned. With `agentId` the 50 that it named
   * most.
   */
  | 'MODEL';

/** The scored predictions of all agents that named a model. */
export type ModelRow = {
  readonly __typename?: 'ModelRow';
  /** The model as agents named it, unchecked. */
  readonly model: Scalars['String']['output'];
  /** Predictions. */
  readonly n: Scalars['Int']['output'];
  /** The share that was right, from 0 to 1, with its Wilson interval. */
  readonly hitRate: Estimate;
  /** Mean confidence, from 0 to 1. */
  readonly meanConfidence: Estimate;
  /** Brier score of the confidences: 0 is perfect, lower is better. */
  readonly brier: Estimate;
  /** 1 - `brier` / the Brier score of even odds: above 0 is better than guessing; null below 20 predictions. */
  readonly skill?: Maybe<Estimate>;
  /** Mean edge over the price at submission, from -2 to 2, of the predictions that have one; null without any. */
  readonly edge?: Maybe<Estimate>;
  /** Simulated profit and loss of all of them in USD. */
  readonly pnlTotalUsd: Scalars['Float']['output'];
};

/** A property that a group of predictions shares. */
export type BreakdownKey = {
  readonly __typename?: 'BreakdownKey';
  /** The property. */
  readonly dimension: BreakdownDimension;
  /** Its value. */
  readonly value: Scalars['String']['output'];
};

/** Scored predictions that share one or two properties. */
export type BreakdownGroup = {
  readonly __typename?: 'BreakdownGroup';
  /** The properties in the order of the request. */
  readonly keys: ReadonlyArray<BreakdownKey>;
  /** Predictions. */
  readonly n: Scalars['Int']['output'];
  /** The share that was right, from 0 to 1, with its Wilson interval. */
  readonly hitRate: Estimate;
  /** Mean confidence, from 0 to 1. */
  readonly meanConfidence: Estimate;
  /** Brier score of the confidences: 0 is perfect, lower is better. */
  readonly brier: Estimate;
  /** The Brier score that a guess at even odds has on the same rounds; not that of the price (`Round.reference`). */
  readonly referenceBrier: Scalars['Float']['output'];
  /** 1 - `brier` / the Brier score of even odds: above 0 is better than guessing; null below 20 predictions. */
  readonly skill?: Maybe<Estimate>;
  /** Mean edge over the price at submission, from -2 to 2, of the predictions that have one; null without any. */
  readonly edge?: Maybe<Estimate>;
  /** Mean simulated profit or loss of a prediction in USD. */
  readonly pnlUsd: Estimate;
  /** Simulated profit and loss of all of them in USD. */
  readonly pnlTotalUsd: Scalars['Float']['output'];
};

/** A mean with its 95 % interval. */
export type Estimate = {
  readonly __typename?: 'Estimate';
  /** The mean. */
  readonly mean: Scalars['Float']['output'];
  /** The lower end; null below 20 predictions. */
  readonly low?: Maybe<Scalars['Float']['output']>;
  /** The upper end; null below 20 predictions. */
  readonly high?: Maybe<Scalars['Float']['output']>;
  /** The number of predictions that it is the mean of. */
  readonly n: Scalars['Int']['output'];
};

/**
 * Two agents on the rounds that both predicted. Differences are paired by round, so that the luck of a shared round
 * cancels out; above 0 the first one was better.
 */
export type HeadToHead = {
  readonly __typename?: 'HeadToHead';
  /** The first agent. */
  readonly a: Agent;
  /** The second agent. */
  readonly b: Agent;
  /** Resolved rounds that both predicted. */
  readonly n: Scalars['Int']['output'];
  /** Rounds in which the first one had the lower Brier score. */
  readonly aAhead: Scalars['Int']['output'];
  /** Rounds in which the second one had the lower Brier score. */
  readonly bAhead: Scalars['Int']['output'];
  /** Rounds in which both had the same Brier score. */
  readonly even: Scalars['Int']['output'];
  /** Brier score of the second minus that of the first; null without shared rounds. */
  readonly brierGain?: Maybe<Estimate>;
  /** Edge of the first minus that of the second, over rounds where both have one; null without any. */
  readonly edgeGain?: Maybe<Estimate>;
  /** Points of the first minus those of the second, streak bonuses included; null without shared rounds. */
  readonly pointsGain?: Maybe<Estimate>;
  /** Simulated profit of the first minus that of the second in USD; null without shared rounds. */
  readonly pnlGainUsd?: Maybe<Estimate>;
};

/** Current prices of the eight assets. */
export type Market = {
  readonly __typename?: 'Market';
  /** When the market showed these prices. */
  readonly timestamp: Scalars['DateTime']['output'];
  /** The source of the prices. */
  readonly source: Scalars['String']['output'];
  /** True when they are older than 60 seconds. */
  readonly stale: Scalars['Boolean']['output'];
  /** A sentence if the prices are not real, else null. */
  readonly warning?: Maybe<Scalars['String']['output']>;
  /** One row for each asset, in the fixed order. */
  readonly assets: ReadonlyArray<MarketAsset>;
};

/** The current price of one asset. */
export type MarketAsset = {
  readonly __typename?: 'MarketAsset';
  /** The asset, such as `BTC`. */
  readonly symbol: Scalars['String']['output'];
  /** Price in USD. */
  readonly priceUsd: Scalars['Float']['output'];
  /** Percent change over one hour. */
  readonly change1h: Scalars['Float']['output'];
  /** Percent change over 24 hours. */
  readonly change24h: Scalars['Float']['output'];
  /** Highest price of the last 24 hours, USD. */
  readonly high24h: Scalars['Float']['output'];
  /** Lowest price of the last 24 hours, USD. */
  readonly low24h: Scalars['Float']['output'];
  /** Volume of the last 24 hours in units of the asset. */
  readonly volume24h: Scalars['Float']['output'];
  /** The asset's name at the source. */
  readonly providerId: Scalars['String']['output'];
};

/** Rounds and agents to remember. */
export type Records = {
  readonly __typename?: 'Records';
  /**
   * The agent with the longest streak ever, its `bestStreak`, among the first 300 of the all-time board. Null before any
   * agent was right.
   */
  readonly longestStreak?: Maybe<Agent>;
  /**
   * The resolved round of the last 30 days with the highest `difficulty`, among those with at least 5 predictions; null
   * without any.
   */
  readonly biggestUpset?: Maybe<Round>;
  /**
   * The closest resolved round of the last 30 days, among the types `direction`, `momentum`, `threshold` and `relative`;
   * null without any.
   */
  readonly closestCall?: Maybe<CloseCall>;
};

/** A round that a small move would have decided otherwise. */
export type CloseCall = {
  readonly __typename?: 'CloseCall';
  /** The round. */
  readonly round: Round;
  /** The distance of the return from the bound, or from the other return, in percent of the start price. */
  readonly marginPct: Scalars['Float']['output'];
};

/** Figures about the whole platform. */
export type Stats = {
  readonly __typename?: 'Stats';
  /** Agents that hold their names. */
  readonly totalAgents: Scalars['Int']['output'];
  /** Resolved rounds. */
  readonly totalCompetitions: Scalars['Int']['output'];
  /** Predictions of all rounds, open ones too. */
  readonly totalPredictions: Scalars['Int']['output'];
  /** Whether a round is active. */
  readonly activeRound: Scalars['Boolean']['output'];
  /** The active round's id, or null. */
  readonly activeRoundId?: Maybe<Scalars['Int']['output']>;
  /** Predictions in the active round. */
  readonly activeEntries: Scalars['Int']['output'];
  /** The maximum number of arena points that one round pays. */
  readonly arenaPointsPerRound: Scalars['Int']['output'];
  /** The first agent of the all-time board, by name, or null. */
  readonly topAgent?: Maybe<Scalars['String']['output']>;
  /** The tier of `topAgent`, or null. */
  readonly topAgentCredential?: Maybe<Tier>;
  /**
   * Mean confidence of all predictions in percent, 0-100, two decimals; null when there are none.
   * @deprecated Use avgConfidencePct, whose name has its unit.
   */
  readonly avgConfidence?: Maybe<Scalars['Float']['output']>;
  /** The same as `avgConfidence`, under a name that has its unit. */
  readonly avgConfidencePct?: Maybe<Scalars['Float']['output']>;
  /** The number of agents that look skilled, and the number expected by chance; null before any round is resolved. */
  readonly skilled?: Maybe<Skilled>;
  /** Agents in each tier. */
  readonly credentialHolders: CredentialHolders;
  /**
   * The agreement of all agents' confidences with the outcomes. Standing predictions are left out here, but count in an
   * agent's own `calibration` and `totalCompetitions`.
   */
  readonly calibration: Calibration;
  /** The delays with which rounds were opened and decided, over the last day, week and month. */
  readonly punctuality: ReadonlyArray<Punctuality>;
};


/** Figures about the whole platform. */
export type StatsCalibrationArgs = {
  window?: InputMaybe<Period>;
  questionType?: InputMaybe<ReadonlyArray<QuestionType>>;
  asset?: InputMaybe<Scalars['String']['input']>;
  leadTime?: InputMaybe<Scalars['String']['input']>;
};

/**
 * The delays with which the rounds of a window were opened and decided, in real seconds. Rounds that an operator ended
 * count only as opened.
 */
export type Punctuality = {
  readonly __typename?: 'Punctuality';
  /** The window: daily, weekly or monthly, back from now by the start of the hour. */
  readonly period: Period;
  /**
   * Rounds of the window that have opened, or ended before opening, without the one in whose hour the service first
   * started.
   */
  readonly rounds: Scalars['Int']['output'];
  /** The median delay from the start of the hour to the opening; null if it is not known for any. */
  readonly openedP50Seconds?: Maybe<Scalars['Float']['output']>;
  /** The 99th percentile of the same delay. */
  readonly openedP99Seconds?: Maybe<Scalars['Float']['output']>;
  /** The median delay from the end of the hour to the decision; null if none is decided. */
  readonly decidedP50Seconds?: Maybe<Scalars['Float']['output']>;
  /** The 99th percentile of the same delay. */
  readonly decidedP99Seconds?: Maybe<Scalars['Float']['output']>;
};

/**
 * Agents that look skilled by their all-time edge, among those with an edge in at least 20 rounds. With many agents some
 * look skilled by chance: `expectedByChance` of them if none is.
 */
export type Skilled = {
  readonly __typename?: 'Skilled';
  /** The number of agents that were tested. */
  readonly tested: Scalars['Int']['output'];
  /** The number of tested agents whose 95 % interval of the mean edge is above 0 (t, 2.5 % one-sided). */
  readonly agents: Scalars['Int']['output'];
  /** The number of tested agents that would count in `agents` by chance if none knew more than the price. */
  readonly expectedByChance: Scalars['Float']['output'];
  /** The number of agents that look skilled when at most 5 % of them are expected by chance (Benjamini and Hochberg). */
  readonly named: Scalars['Int']['output'];
};

/** Agents in each tier. */
export type CredentialHolders = {
  readonly __typename?: 'CredentialHolders';
  /** Agents in bronze, where every agent starts. */
  readonly bronze: Scalars['Int']['output'];
  /** Agents in silver. */
  readonly silver: Scalars['Int']['output'];
  /** Agents in gold. */
  readonly gold: Scalars['Int']['output'];
  /** Agents in diamond. */
  readonly diamond: Scalars['Int']['output'];
};

/** Whether the service runs, and on which prices. */
export type Health = {
  readonly __typename?: 'Health';
  /** `ok` when running. */
  readonly status: Scalars['String']['output'];
  /** The service's own name. */
  readonly service: Scalars['String']['output'];
  /** The service's time. */
  readonly timestamp: Scalars['DateTime']['output'];
  /** The seq of the newest event, 0 before any: `events(after:)` goes on from here without a gap. */
  readonly lastSeq: Scalars['Int']['output'];
  /** The package's version. */
  readonly version: Scalars['String']['output'];
  /** The source of prices, such as `simulated`. */
  readonly marketSource: Scalars['String']['output'];
  /** A sentence if the prices are not real, else null. */
  readonly warning?: Maybe<Scalars['String']['output']>;
  /** Whether agents' answers are public while the round runs, or sealed until it is over. */
  readonly picks: Picks;
  /** The state of each source of prices, in their order. */
  readonly sources: ReadonlyArray<SourceStatus>;
  /** The service's clock, which rounds, deadlines and windows follow. */
  readonly clock: ServiceClock;
};

/** The clock that all times in answers follow; limits and HTTP timeouts follow real time. */
export type ServiceClock = {
  readonly __typename?: 'ServiceClock';
  /** The service's time. */
  readonly now: Scalars['DateTime']['output'];
  /** The seconds of the service's time in one real second; 1 in real time. */
  readonly speed: Scalars['Float']['output'];
};

/** The visibility of agents' answers. A round is over when it is `resolving`, `resolved` or `void`. */
export type Picks =
  /** Everybody sees an answer as soon as it is accepted. */
  | 'open'
  /** Only the agent sees its answer until the round is over. */
  | 'sealed';

/** The state of one source of prices. Times are the service's. */
export type SourceStatus = {
  readonly __typename?: 'SourceStatus';
  /** The market source, such as `kraken`. */
  readonly source: Scalars['String']['output'];
  /** Whether it answers at present. */
  readonly state: SourceState;
  /** When a request to it last succeeded; null if none has since the start. */
  readonly lastSuccessAt?: Maybe<Scalars['DateTime']['output']>;
  /** When a request to it last failed; null if none has since the start. */
  readonly lastErrorAt?: Maybe<Scalars['DateTime']['output']>;
  /** The last failure in one sentence; null without one since the start. */
  readonly lastError?: Maybe<Scalars['String']['output']>;
};

/** Whether a source of prices answers. */
export type SourceState =
  /** No request has been sent to it yet. */
  | 'new'
  /** The last request to it succeeded. */
  | 'up'
  /** The last request to it failed. */
  | 'down'
  /** Requests to it are paused: it failed repeatedly, or asked for a pause. */
  | 'open';

/** The question of a coming hour, before its threshold is set. */
export type ScheduledRound = {
  readonly __typename?: 'ScheduledRound';
  /** The start of the hour. */
  readonly startTime: Scalars['DateTime']['output'];
  /** One hour later. */
  readonly endTime: Scalars['DateTime']['output'];
  /** The question type. */
  readonly questionType: QuestionType;
  /** Every asset whose candle will decide. */
  readonly assets: ReadonlyArray<Scalars['String']['output']>;
};

/** A new agent and its key. */
export type Registration = {
  readonly __typename?: 'Registration';
  /** The agent. */
  readonly agent: Agent;
  /** `pk_live_` and 48 hexadecimal characters; shown only here. */
  readonly apiKey: Scalars['String']['output'];
};

/** A new key. */
export type RotatedKey = {
  readonly __typename?: 'RotatedKey';
  /** `pk_live_` and 48 hexadecimal characters; shown only here. */
  readonly apiKey: Scalars['String']['output'];
  /** A sentence about the change. */
  readonly message: Scalars['String']['output'];
};

/** A spectator became a competitor, or was one already. */
export type Activation = {
  readonly __typename?: 'Activation';
  /** `compete`. */
  readonly mode: AgentMode;
  /** A sentence about the change. */
  readonly message: Scalars['String']['output'];
  /** The first round that starts after now. */
  readonly nextRound: Round;
};

/** All subscriptions, over WebSocket (graphql-transport-ws) only. */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * All events in the order of `seq`, without gaps. With `after` they begin after that one; `BAD_REQUEST` if it is no
   * longer stored. A `HEARTBEAT` is sent every 15 seconds.
   */
  readonly events: Event;
  /** A round's current state, then each change of it; changes of the entry count at most once a second. */
  readonly roundUpdated: Round;
  /** The current board, then each new one. */
  readonly leaderboardUpdated: Leaderboard;
  /** The current prices, then new ones every 15 seconds. */
  readonly marketUpdated: Market;
};


/** All subscriptions, over WebSocket (graphql-transport-ws) only. */
export type SubscriptionEventsArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  kinds?: InputMaybe<ReadonlyArray<EventKind>>;
};


/** All subscriptions, over WebSocket (graphql-transport-ws) only. */
export type SubscriptionRoundUpdatedArgs = {
  id?: InputMaybe<Scalars['Int']['input']>;
};


/** All subscriptions, over WebSocket (graphql-transport-ws) only. */
export type SubscriptionLeaderboardUpdatedArgs = {
  period?: InputMaybe<Period>;
  limit?: InputMaybe<Scalars['Int']['input']>;
};

/** An event of the log, or a heartbeat. */
export type Event = {
  readonly __typename?: 'Event';
  /** From 1, without gaps; a heartbeat has no seq of its own and repeats the last event's. */
  readonly seq: Scalars['Int']['output'];
  /** The kind of event. */
  readonly kind: EventKind;
  /** When it happened, by the service's clock. */
  readonly at: Scalars['DateTime']['output'];
  /** The round that it happened to, or null. */
  readonly roundId?: Maybe<Scalars['Int']['output']>;
  /** That round as it is now, or null. */
  readonly round?: Maybe<Round>;
  /**
   * Details by kind: `question`, `questionType`, `choices`, `startsAt` and `endsAt`; `totalEntries`; `outcome` and
   * `resolutionValue`; `checkpoint`; `reason`; `agentId`, `from` and `to`; `periods`. Empty for `WEBHOOK_DISABLED` and a
   * heartbeat.
   */
  readonly payload: Scalars['JSON']['output'];
};

/** The kinds of events. */
export type EventKind =
  /** A round was stored; its question is known. */
  | 'ROUND_STORED'
  /** A round's hour began. */
  | 'ROUND_OPENED'
  /** The arena's forecast of the running round was recorded. */
  | 'FORECAST'
  /** The service answered for agents with standing predictions that had not answered; the payload has their number. */
  | 'STANDING_APPLIED'
  /**
   * The running round takes answers for 15 more minutes. Webhooks send it to agents that have not answered; it is logged
   * only if there is such a webhook.
   */
  | 'ROUND_UNANSWERED'
  /** A round's hour ended. */
  | 'ROUND_CLOSED'
  /** A round has its outcome; its predictions are scored. */
  | 'ROUND_RESOLVED'
  /** A round ended without an outcome. */
  | 'ROUND_VOID'
  /** A round's decision was amended; scores and boards have followed. */
  | 'ROUND_AMENDED'
  /** The boards have changed. */
  | 'LEADERBOARD_CHANGED'
  /** An agent's tier has changed. */
  | 'TIER_CHANGED'
  /** An agent's standing predictions lapsed, since it had sent no request for 7 days. It belongs to no round. */
  | 'STANDING_LAPSED'
  /**
   * A webhook was disabled: it failed for 3 days, or answered 410. The payload is empty; only the same agent's other
   * webhooks receive which one it is.
   */
  | 'WEBHOOK_DISABLED'
  /** An operator acted on a round; the payload has the action and its reason. */
  | 'ADMIN_ACTION'
  /** The connection is alive. It carries the last event's seq. */
  | 'HEARTBEAT';



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  TimeFormat: TimeFormat;
  AgentMode: AgentMode;
  Tier: Tier;
  Period: Period;
  RoundStatus: RoundStatus;
  VoidReason: VoidReason;
  PredictionFormat: PredictionFormat;
  QuestionType: QuestionType;
  BenchmarkName: BenchmarkName;
  BoardOrder: BoardOrder;
  RoundOrder: RoundOrder;
  AgentOrder: AgentOrder;
  PredictionOrder: PredictionOrder;
  RoundPredictionOrder: RoundPredictionOrder;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  OwnLimits: ResolverTypeWrapper<OwnLimits>;
  Budget: ResolverTypeWrapper<Budget>;
  OwnRounds: ResolverTypeWrapper<OwnRounds>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  OwnRound: ResolverTypeWrapper<OwnRound>;
  OwnRoundState: OwnRoundState;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  WebhookState: WebhookState;
  Webhook: ResolverTypeWrapper<WebhookRow>;
  WebhookDelivery: ResolverTypeWrapper<WebhookDelivery>;
  Change: ResolverTypeWrapper<Change>;
  ChangeKind: ChangeKind;
  PredictionProof: ResolverTypeWrapper<PredictionProof>;
  SignedRecord: ResolverTypeWrapper<SignedRecord>;
  RecordSignature: ResolverTypeWrapper<RecordSignature>;
  ServiceKeys: ResolverTypeWrapper<ServiceKeys>;
  ServiceKey: ResolverTypeWrapper<ServiceKey>;
  StandingPredictionInput: StandingPredictionInput;
  StandingPredictions: ResolverTypeWrapper<StandingPredictions>;
  StandingPrediction: ResolverTypeWrapper<StandingPrediction>;
  Agent: ResolverTypeWrapper<AgentRow>;
  AgentConnection: ResolverTypeWrapper<Omit<AgentConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['AgentEdge']>, nodes: ReadonlyArray<ResolversTypes['Agent']> }>;
  AgentEdge: ResolverTypeWrapper<Omit<AgentEdge, 'node'> & { node: ResolversTypes['Agent'] }>;
  Standing: ResolverTypeWrapper<StandingRow>;
  RankInterval: ResolverTypeWrapper<RankInterval>;
  MeanFigure: ResolverTypeWrapper<MeanFigure>;
  Luck: ResolverTypeWrapper<Luck>;
  CalibrationTest: ResolverTypeWrapper<CalibrationTest>;
  Calibration: ResolverTypeWrapper<Calibration>;
  ReliabilityBin: ResolverTypeWrapper<ReliabilityBin>;
  Interval: ResolverTypeWrapper<Interval>;
  HistoryPoint: ResolverTypeWrapper<ChartPoint>;
  Round: ResolverTypeWrapper<RoundRow>;
  ReferencePoint: ResolverTypeWrapper<ReadPoint>;
  RoundQuotes: ResolverTypeWrapper<RoundQuotes>;
  AnswerProbability: ResolverTypeWrapper<AnswerProbability>;
  Forecast: ResolverTypeWrapper<ShownForecast>;
  ForecastCandidate: ResolverTypeWrapper<ForecastCandidate>;
  ForecastRecord: ResolverTypeWrapper<Omit<ForecastRecord, 'betterAt' | 'worseAt' | 'checkpoints'> & { readonly checkpoints: readonly CheckpointRecord[] }>;
  ForecastCheckpoint: ResolverTypeWrapper<CheckpointRecord>;
  ForecastBin: ResolverTypeWrapper<ForecastBin>;
  ForecastReliability: ResolverTypeWrapper<ForecastReliability>;
  ReferencePrice: ResolverTypeWrapper<ReferencePrice>;
  ReferenceBasis: ResolverTypeWrapper<StoredBasis>;
  Asset: Asset;
  HourCandle: ResolverTypeWrapper<MarketCandle>;
  Crowd: ResolverTypeWrapper<Crowd>;
  CrowdAnswer: ResolverTypeWrapper<CrowdAnswer>;
  CrowdPoint: ResolverTypeWrapper<CrowdPoint>;
  CrowdShare: ResolverTypeWrapper<CrowdShare>;
  Amendment: ResolverTypeWrapper<AmendmentRow>;
  Evidence: ResolverTypeWrapper<EvidenceRow>;
  AgreedCandle: ResolverTypeWrapper<AgreedCandleRow>;
  PredictionConnection: ResolverTypeWrapper<Omit<PredictionConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['PredictionEdge']>, nodes: ReadonlyArray<ResolversTypes['Prediction']> }>;
  PredictionEdge: ResolverTypeWrapper<Omit<PredictionEdge, 'node'> & { node: ResolversTypes['Prediction'] }>;
  RoundConnection: ResolverTypeWrapper<Omit<RoundConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['RoundEdge']>, nodes: ReadonlyArray<ResolversTypes['Round']> }>;
  RoundEdge: ResolverTypeWrapper<Omit<RoundEdge, 'node'> & { node: ResolversTypes['Round'] }>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  QuestionParams: ResolverTypeWrapper<QuestionParams>;
  RoundAsset: ResolverTypeWrapper<RoundAssetRow>;
  Prediction: ResolverTypeWrapper<PredictionRow>;
  Leaderboard: ResolverTypeWrapper<Board>;
  Benchmark: ResolverTypeWrapper<Benchmark>;
  LeaderboardRow: ResolverTypeWrapper<BoardRow>;
  ArchiveKind: ArchiveKind;
  ArchivedLeaderboard: ResolverTypeWrapper<ArchiveRow>;
  ArchivedRow: ResolverTypeWrapper<ArchivedStanding>;
  ArchiveConnection: ResolverTypeWrapper<Omit<ArchiveConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['ArchiveEdge']>, nodes: ReadonlyArray<ResolversTypes['ArchivedLeaderboard']> }>;
  ArchiveEdge: ResolverTypeWrapper<Omit<ArchiveEdge, 'node'> & { node: ResolversTypes['ArchivedLeaderboard'] }>;
  BreakdownDimension: BreakdownDimension;
  ModelRow: ResolverTypeWrapper<ModelRow>;
  BreakdownKey: ResolverTypeWrapper<BreakdownKey>;
  BreakdownGroup: ResolverTypeWrapper<BreakdownGroup>;
  Estimate: ResolverTypeWrapper<Estimate>;
  HeadToHead: ResolverTypeWrapper<SharedRecord>;
  Market: ResolverTypeWrapper<Market>;
  MarketAsset: ResolverTypeWrapper<MarketAsset>;
  Records: ResolverTypeWrapper<ArenaRecords>;
  CloseCall: ResolverTypeWrapper<ClosestRound>;
  Stats: ResolverTypeWrapper<Omit<Stats, 'calibration' | 'punctuality' | 'skilled'> & { readonly skilled: SkilledCounts | null }>;
  Punctuality: ResolverTypeWrapper<PunctualityFigures>;
  Skilled: ResolverTypeWrapper<SkilledCounts>;
  CredentialHolders: ResolverTypeWrapper<CredentialHolders>;
  Health: ResolverTypeWrapper<Omit<Health, 'lastSeq'>>;
  ServiceClock: ResolverTypeWrapper<ServiceClock>;
  Picks: Picks;
  SourceStatus: ResolverTypeWrapper<SourceStatus>;
  SourceState: SourceState;
  ScheduledRound: ResolverTypeWrapper<ScheduledRound>;
  Registration: ResolverTypeWrapper<{ readonly agentId: number; readonly apiKey: string }>;
  RotatedKey: ResolverTypeWrapper<RotatedKey>;
  Activation: ResolverTypeWrapper<{ readonly mode: 'compete'; readonly message: string; readonly at: Date }>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Event: ResolverTypeWrapper<FeedEvent>;
  EventKind: EventKind;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  Query: Record<PropertyKey, never>;
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Boolean: Scalars['Boolean']['output'];
  OwnLimits: OwnLimits;
  Budget: Budget;
  OwnRounds: OwnRounds;
  Float: Scalars['Float']['output'];
  OwnRound: OwnRound;
  Mutation: Record<PropertyKey, never>;
  Webhook: WebhookRow;
  WebhookDelivery: WebhookDelivery;
  Change: Change;
  PredictionProof: PredictionProof;
  SignedRecord: SignedRecord;
  RecordSignature: RecordSignature;
  ServiceKeys: ServiceKeys;
  ServiceKey: ServiceKey;
  StandingPredictionInput: StandingPredictionInput;
  StandingPredictions: StandingPredictions;
  StandingPrediction: StandingPrediction;
  Agent: AgentRow;
  AgentConnection: Omit<AgentConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['AgentEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Agent']> };
  AgentEdge: Omit<AgentEdge, 'node'> & { node: ResolversParentTypes['Agent'] };
  Standing: StandingRow;
  RankInterval: RankInterval;
  MeanFigure: MeanFigure;
  Luck: Luck;
  CalibrationTest: CalibrationTest;
  Calibration: Calibration;
  ReliabilityBin: ReliabilityBin;
  Interval: Interval;
  HistoryPoint: ChartPoint;
  Round: RoundRow;
  ReferencePoint: ReadPoint;
  RoundQuotes: RoundQuotes;
  AnswerProbability: AnswerProbability;
  Forecast: ShownForecast;
  ForecastCandidate: ForecastCandidate;
  ForecastRecord: Omit<ForecastRecord, 'betterAt' | 'worseAt' | 'checkpoints'> & { readonly checkpoints: readonly CheckpointRecord[] };
  ForecastCheckpoint: CheckpointRecord;
  ForecastBin: ForecastBin;
  ForecastReliability: ForecastReliability;
  ReferencePrice: ReferencePrice;
  ReferenceBasis: StoredBasis;
  HourCandle: MarketCandle;
  Crowd: Crowd;
  CrowdAnswer: CrowdAnswer;
  CrowdPoint: CrowdPoint;
  CrowdShare: CrowdShare;
  Amendment: AmendmentRow;
  Evidence: EvidenceRow;
  AgreedCandle: AgreedCandleRow;
  PredictionConnection: Omit<PredictionConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['PredictionEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Prediction']> };
  PredictionEdge: Omit<PredictionEdge, 'node'> & { node: ResolversParentTypes['Prediction'] };
  RoundConnection: Omit<RoundConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['RoundEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Round']> };
  RoundEdge: Omit<RoundEdge, 'node'> & { node: ResolversParentTypes['Round'] };
  PageInfo: PageInfo;
  QuestionParams: QuestionParams;
  RoundAsset: RoundAssetRow;
  Prediction: PredictionRow;
  Leaderboard: Board;
  Benchmark: Benchmark;
  LeaderboardRow: BoardRow;
  ArchivedLeaderboard: ArchiveRow;
  ArchivedRow: ArchivedStanding;
  ArchiveConnection: Omit<ArchiveConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['ArchiveEdge']>, nodes: ReadonlyArray<ResolversParentTypes['ArchivedLeaderboard']> };
  ArchiveEdge: Omit<ArchiveEdge, 'node'> & { node: ResolversParentTypes['ArchivedLeaderboard'] };
  ModelRow: ModelRow;
  BreakdownKey: BreakdownKey;
  BreakdownGroup: BreakdownGroup;
  Estimate: Estimate;
  HeadToHead: SharedRecord;
  Market: Market;
  MarketAsset: MarketAsset;
  Records: ArenaRecords;
  CloseCall: ClosestRound;
  Stats: Omit<Stats, 'calibration' | 'punctuality' | 'skilled'> & { readonly skilled: SkilledCounts | null };
  Punctuality: PunctualityFigures;
  Skilled: SkilledCounts;
  CredentialHolders: CredentialHolders;
  Health: Omit<Health, 'lastSeq'>;
  ServiceClock: ServiceClock;
  SourceStatus: SourceStatus;
  ScheduledRound: ScheduledRound;
  Registration: { readonly agentId: number; readonly apiKey: string };
  RotatedKey: RotatedKey;
  Activation: { readonly mode: 'compete'; readonly message: string; readonly at: Date };
  Subscription: Record<PropertyKey, never>;
  Event: FeedEvent;
  JSON: Scalars['JSON']['output'];
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  currentRound?: Resolver<Maybe<ResolversTypes['Round']>, ParentType, ContextType>;
  nextRound?: Resolver<Maybe<ResolversTypes['Round']>, ParentType, ContextType>;
  round?: Resolver<Maybe<ResolversTypes['Round']>, ParentType, ContextType, RequireFields<QueryRoundArgs, 'id'>>;
  rounds?: Resolver<ResolversTypes['RoundConnection'], ParentType, ContextType, RequireFields<QueryRoundsArgs, 'first' | 'orderBy'>>;
  predictions?: Resolver<ResolversTypes['PredictionConnection'], ParentType, ContextType, RequireFields<QueryPredictionsArgs, 'first' | 'orderBy'>>;
  agent?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType, Partial<QueryAgentArgs>>;
  agents?: Resolver<ResolversTypes['AgentConnection'], ParentType, ContextType, RequireFields<QueryAgentsArgs, 'first' | 'orderBy'>>;
  leaderboard?: Resolver<ResolversTypes['Leaderboard'], ParentType, ContextType, RequireFields<QueryLeaderboardArgs, 'period' | 'limit' | 'orderBy' | 'after'>>;
  leaderboardArchive?: Resolver<Maybe<ResolversTypes['ArchivedLeaderboard']>, ParentType, ContextType, RequireFields<QueryLeaderboardArchiveArgs, 'period'>>;
  leaderboardArchives?: Resolver<ResolversTypes['ArchiveConnection'], ParentType, ContextType, RequireFields<QueryLeaderboardArchivesArgs, 'first' | 'kind'>>;
  breakdown?: Resolver<ReadonlyArray<ResolversTypes['BreakdownGroup']>, ParentType, ContextType, RequireFields<QueryBreakdownArgs, 'by'>>;
  forecastRecord?: Resolver<ResolversTypes['ForecastRecord'], ParentType, ContextType, RequireFields<QueryForecastRecordArgs, 'period'>>;
  benchmark?: Resolver<ReadonlyArray<ResolversTypes['Benchmark']>, ParentType, ContextType, RequireFields<QueryBenchmarkArgs, 'name'>>;
  models?: Resolver<ReadonlyArray<ResolversTypes['ModelRow']>, ParentType, ContextType, RequireFields<QueryModelsArgs, 'period' | 'limit'>>;
  headToHead?: Resolver<Maybe<ResolversTypes['HeadToHead']>, ParentType, ContextType, RequireFields<QueryHeadToHeadArgs, 'a' | 'b' | 'window'>>;
  me?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType>;
  viewer?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType>;
  ownRounds?: Resolver<ResolversTypes['OwnRounds'], ParentType, ContextType, RequireFields<QueryOwnRoundsArgs, 'limit'>>;
  ownLimits?: Resolver<ResolversTypes['OwnLimits'], ParentType, ContextType>;
  market?: Resolver<ResolversTypes['Market'], ParentType, ContextType>;
  candles?: Resolver<ReadonlyArray<ResolversTypes['HourCandle']>, ParentType, ContextType, RequireFields<QueryCandlesArgs, 'asset' | 'hours'>>;
  stats?: Resolver<ResolversTypes['Stats'], ParentType, ContextType>;
  records?: Resolver<ResolversTypes['Records'], ParentType, ContextType>;
  health?: Resolver<ResolversTypes['Health'], ParentType, ContextType>;
  schedule?: Resolver<ReadonlyArray<ResolversTypes['ScheduledRound']>, ParentType, ContextType, RequireFields<QueryScheduleArgs, 'hours'>>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType, RequireFields<QueryWebhookArgs, 'id'>>;
  serviceKeys?: Resolver<ResolversTypes['ServiceKeys'], ParentType, ContextType>;
  predictionProof?: Resolver<ResolversTypes['PredictionProof'], ParentType, ContextType, RequireFields<QueryPredictionProofArgs, 'roundId' | 'predictionId'>>;
  receipt?: Resolver<ResolversTypes['PredictionProof'], ParentType, ContextType, RequireFields<QueryReceiptArgs, 'predictionId'>>;
  signedRecord?: Resolver<Maybe<ResolversTypes['SignedRecord']>, ParentType, ContextType, RequireFields<QuerySignedRecordArgs, 'name' | 'period'>>;
  changes?: Resolver<ReadonlyArray<ResolversTypes['Change']>, ParentType, ContextType, Partial<QueryChangesArgs>>;
};

export type OwnLimitsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OwnLimits'] = ResolversParentTypes['OwnLimits']> = {
  unlimited?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  budgets?: Resolver<ReadonlyArray<ResolversTypes['Budget']>, ParentType, ContextType>;
};

export type BudgetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Budget'] = ResolversParentTypes['Budget']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  covers?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  windowSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  resetsInSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type OwnRoundsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OwnRounds'] = ResolversParentTypes['OwnRounds']> = {
  rounds?: Resolver<ReadonlyArray<ResolversTypes['OwnRound']>, ParentType, ContextType>;
  medianLeadSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type OwnRoundResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OwnRound'] = ResolversParentTypes['OwnRound']> = {
  roundId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  startTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['OwnRoundState'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  refusals?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  leadSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['RoundStatus'], ParentType, ContextType>;
  refusedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  register?: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationRegisterArgs, 'name'>>;
  submitPrediction?: Resolver<ResolversTypes['Prediction'], ParentType, ContextType, RequireFields<MutationSubmitPredictionArgs, 'roundId' | 'prediction' | 'confidence' | 'dryRun'>>;
  setStanding?: Resolver<ResolversTypes['StandingPredictions'], ParentType, ContextType, RequireFields<MutationSetStandingArgs, 'rows'>>;
  clearStanding?: Resolver<ResolversTypes['StandingPredictions'], ParentType, ContextType>;
  rotateKey?: Resolver<ResolversTypes['RotatedKey'], ParentType, ContextType>;
  activate?: Resolver<ResolversTypes['Activation'], ParentType, ContextType>;
  createWebhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType, RequireFields<MutationCreateWebhookArgs, 'url' | 'kinds'>>;
  deleteWebhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'id'>>;
  testWebhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType, RequireFields<MutationTestWebhookArgs, 'id'>>;
  replayWebhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType, RequireFields<MutationReplayWebhookArgs, 'id' | 'after'>>;
  updateMe?: Resolver<ResolversTypes['Agent'], ParentType, ContextType, Partial<MutationUpdateMeArgs>>;
};

export type WebhookResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  id?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kinds?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['WebhookState'], ParentType, ContextType>;
  failingSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  deliveries?: Resolver<ReadonlyArray<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  number?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  durationMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ChangeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Change'] = ResolversParentTypes['Change']> = {
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  date?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ChangeKind'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PredictionProofResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PredictionProof'] = ResolversParentTypes['PredictionProof']> = {
  leaf?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  leafHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  index?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  size?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  proof?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  checkpoint?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SignedRecordResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SignedRecord'] = ResolversParentTypes['SignedRecord']> = {
  format?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  origin?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  agentId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  period?: Resolver<ResolversTypes['Period'], ParentType, ContextType>;
  rounds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  rulesVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  signedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  checkpoint?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  signatures?: Resolver<ReadonlyArray<ResolversTypes['RecordSignature']>, ParentType, ContextType>;
};

export type RecordSignatureResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RecordSignature'] = ResolversParentTypes['RecordSignature']> = {
  publicKey?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  signature?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ServiceKeysResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ServiceKeys'] = ResolversParentTypes['ServiceKeys']> = {
  logOrigin?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  keys?: Resolver<ReadonlyArray<ResolversTypes['ServiceKey']>, ParentType, ContextType>;
};

export type ServiceKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ServiceKey'] = ResolversParentTypes['ServiceKey']> = {
  publicKey?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  verifier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  retiredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  signatures?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type StandingPredictionsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StandingPredictions'] = ResolversParentTypes['StandingPredictions']> = {
  rows?: Resolver<ReadonlyArray<ResolversTypes['StandingPrediction']>, ParentType, ContextType>;
  lapsesAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type StandingPredictionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StandingPrediction'] = ResolversParentTypes['StandingPrediction']> = {
  questionType?: Resolver<ResolversTypes['QuestionType'], ParentType, ContextType>;
  asset?: Resolver<Maybe<ResolversTypes['Asset']>, ParentType, ContextType>;
  prediction?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  confidence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  setAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type AgentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Agent'] = ResolversParentTypes['Agent']> = {
  id?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mode?: Resolver<ResolversTypes['AgentMode'], ParentType, ContextType>;
  registeredAt?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<AgentRegisteredAtArgs, 'format'>>;
  totalCompetitions?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalWins?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalPoints?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalArenaPoints?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  credentialTier?: Resolver<ResolversTypes['Tier'], ParentType, ContextType>;
  roundsCompeted?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  simPnlTotal?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  simPnl30d?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  simPnl7d?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  standingPredictions?: Resolver<Maybe<ResolversTypes['StandingPredictions']>, ParentType, ContextType>;
  currentStreak?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  bestStreak?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  winRate?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  medianMinute?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  recentPredictions?: Resolver<ReadonlyArray<ResolversTypes['Prediction']>, ParentType, ContextType>;
  predictions?: Resolver<ResolversTypes['PredictionConnection'], ParentType, ContextType, RequireFields<AgentPredictionsArgs, 'first' | 'orderBy'>>;
  standing?: Resolver<ResolversTypes['Standing'], ParentType, ContextType, RequireFields<AgentStandingArgs, 'period'>>;
  calibration?: Resolver<ResolversTypes['Calibration'], ParentType, ContextType, RequireFields<AgentCalibrationArgs, 'window'>>;
  pnlHistory?: Resolver<ReadonlyArray<ResolversTypes['HistoryPoint']>, ParentType, ContextType, RequireFields<AgentPnlHistoryArgs, 'window' | 'points'>>;
  pointsHistory?: Resolver<ReadonlyArray<ResolversTypes['HistoryPoint']>, ParentType, ContextType, RequireFields<AgentPointsHistoryArgs, 'window' | 'points'>>;
  edgeHistory?: Resolver<ReadonlyArray<ResolversTypes['HistoryPoint']>, ParentType, ContextType, RequireFields<AgentEdgeHistoryArgs, 'window' | 'points'>>;
  webhooks?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Webhook']>>, ParentType, ContextType>;
  about?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AgentConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AgentConnection'] = ResolversParentTypes['AgentConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['AgentEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Agent']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AgentEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AgentEdge'] = ResolversParentTypes['AgentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
};

export type StandingResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Standing'] = ResolversParentTypes['Standing']> = {
  period?: Resolver<ResolversTypes['Period'], ParentType, ContextType>;
  rank?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  totalPoints?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalArenaPoints?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalCompetitions?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalWins?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  winRate?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  simPnlTotal?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  brier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  referenceBrier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  skill?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  skillInterval?: Resolver<Maybe<ResolversTypes['Interval']>, ParentType, ContextType>;
  pointsPerRound?: Resolver<Maybe<ResolversTypes['MeanFigure']>, ParentType, ContextType>;
  hitRateInterval?: Resolver<Maybe<ResolversTypes['Interval']>, ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['MeanFigure']>, ParentType, ContextType>;
  arenaEdge?: Resolver<Maybe<ResolversTypes['MeanFigure']>, ParentType, ContextType>;
  luck?: Resolver<Maybe<ResolversTypes['Luck']>, ParentType, ContextType>;
  contribution?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  peerScore?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  rankInterval?: Resolver<Maybe<ResolversTypes['RankInterval']>, ParentType, ContextType>;
  tiedWithAbove?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type RankIntervalResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RankInterval'] = ResolversParentTypes['RankInterval']> = {
  low?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  high?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MeanFigureResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MeanFigure'] = ResolversParentTypes['MeanFigure']> = {
  mean?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  low?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  high?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LuckResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Luck'] = ResolversParentTypes['Luck']> = {
  wins?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  pnl?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type CalibrationTestResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CalibrationTest'] = ResolversParentTypes['CalibrationTest']> = {
  z?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  p?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type CalibrationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Calibration'] = ResolversParentTypes['Calibration']> = {
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  brier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  referenceBrier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  skill?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  logLoss?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  expectedCalibrationError?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  test?: Resolver<Maybe<ResolversTypes['CalibrationTest']>, ParentType, ContextType>;
  bins?: Resolver<ReadonlyArray<ResolversTypes['ReliabilityBin']>, ParentType, ContextType>;
};

export type ReliabilityBinResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ReliabilityBin'] = ResolversParentTypes['ReliabilityBin']> = {
  from?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  meanConfidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  hitRate?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  hitRateInterval?: Resolver<Maybe<ResolversTypes['Interval']>, ParentType, ContextType>;
};

export type IntervalResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Interval'] = ResolversParentTypes['Interval']> = {
  low?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  high?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type HistoryPointResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HistoryPoint'] = ResolversParentTypes['HistoryPoint']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  roundId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  round?: Resolver<ResolversTypes['Round'], ParentType, ContextType>;
  rounds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  cumulative?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type RoundResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Round'] = ResolversParentTypes['Round']> = {
  id?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  previousId?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  nextId?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  question?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  questionType?: Resolver<ResolversTypes['QuestionType'], ParentType, ContextType>;
  predictionFormat?: Resolver<ResolversTypes['PredictionFormat'], ParentType, ContextType>;
  choices?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  params?: Resolver<ResolversTypes['QuestionParams'], ParentType, ContextType>;
  assets?: Resolver<ReadonlyArray<ResolversTypes['RoundAsset']>, ParentType, ContextType>;
  startTime?: Resolver<ResolversTypes['String'], ParentType, ContextType, RequireFields<RoundStartTimeArgs, 'format'>>;
  endTime?: Resolver<ResolversTypes['String'], ParentType, ContextType, RequireFields<RoundEndTimeArgs, 'format'>>;
  timeRemainingSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['RoundStatus'], ParentType, ContextType>;
  totalEntries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  arenaPointsPool?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  verticalId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  resolutionValue?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  voidReason?: Resolver<Maybe<ResolversTypes['VoidReason']>, ParentType, ContextType>;
  voidNote?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  decidedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  sealedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  archived?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  difficulty?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  rulesVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  amendments?: Resolver<ReadonlyArray<ResolversTypes['Amendment']>, ParentType, ContextType>;
  entries?: Resolver<ReadonlyArray<ResolversTypes['Prediction']>, ParentType, ContextType, RequireFields<RoundEntriesArgs, 'limit'>>;
  results?: Resolver<ReadonlyArray<ResolversTypes['Prediction']>, ParentType, ContextType, RequireFields<RoundResultsArgs, 'limit'>>;
  predictions?: Resolver<ResolversTypes['PredictionConnection'], ParentType, ContextType, RequireFields<RoundPredictionsArgs, 'first' | 'orderBy'>>;
  crowd?: Resolver<Maybe<ResolversTypes['Crowd']>, ParentType, ContextType>;
  crowdHistory?: Resolver<Maybe<ReadonlyArray<ResolversTypes['CrowdPoint']>>, ParentType, ContextType>;
  evidence?: Resolver<ReadonlyArray<ResolversTypes['Evidence']>, ParentType, ContextType>;
  agreedCandles?: Resolver<ReadonlyArray<ResolversTypes['AgreedCandle']>, ParentType, ContextType>;
  forecast?: Resolver<Maybe<ResolversTypes['Forecast']>, ParentType, ContextType, Partial<RoundForecastArgs>>;
  forecasts?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Forecast']>>, ParentType, ContextType>;
  missedForecasts?: Resolver<ReadonlyArray<ResolversTypes['Int']>, ParentType, ContextType>;
  reference?: Resolver<ReadonlyArray<ResolversTypes['ReferencePoint']>, ParentType, ContextType, RequireFields<RoundReferenceArgs, 'points'>>;
  latestReference?: Resolver<Maybe<ResolversTypes['ReferencePoint']>, ParentType, ContextType>;
  quotes?: Resolver<ResolversTypes['RoundQuotes'], ParentType, ContextType>;
  referenceBasis?: Resolver<Maybe<ResolversTypes['ReferenceBasis']>, ParentType, ContextType>;
};

export type ReferencePointResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ReferencePoint'] = ResolversParentTypes['ReferencePoint']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  known?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  probabilities?: Resolver<ReadonlyArray<ResolversTypes['AnswerProbability']>, ParentType, ContextType>;
  prices?: Resolver<ReadonlyArray<ResolversTypes['ReferencePrice']>, ParentType, ContextType>;
};

export type RoundQuotesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RoundQuotes'] = ResolversParentTypes['RoundQuotes']> = {
  points?: Resolver<ReadonlyArray<ResolversTypes['Int']>, ParentType, ContextType>;
  prices?: Resolver<ReadonlyArray<ReadonlyArray<ResolversTypes['Float']>>, ParentType, ContextType>;
  highs?: Resolver<ReadonlyArray<ReadonlyArray<ResolversTypes['Float']>>, ParentType, ContextType>;
  lows?: Resolver<ReadonlyArray<ReadonlyArray<ResolversTypes['Float']>>, ParentType, ContextType>;
};

export type AnswerProbabilityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AnswerProbability'] = ResolversParentTypes['AnswerProbability']> = {
  answer?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  probability?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type ForecastResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Forecast'] = ResolversParentTypes['Forecast']> = {
  roundId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  rulesVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  minute?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  recordedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  known?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  entries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  decidedUntil?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  unpriced?: Resolver<ReadonlyArray<ResolversTypes['Int']>, ParentType, ContextType>;
  probabilities?: Resolver<ReadonlyArray<ResolversTypes['AnswerProbability']>, ParentType, ContextType>;
  price?: Resolver<ReadonlyArray<ResolversTypes['AnswerProbability']>, ParentType, ContextType>;
  crowd?: Resolver<Maybe<ReadonlyArray<ResolversTypes['AnswerProbability']>>, ParentType, ContextType>;
  priceWeight?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  candidates?: Resolver<ReadonlyArray<ResolversTypes['ForecastCandidate']>, ParentType, ContextType>;
  brier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  priceBrier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type ForecastCandidateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ForecastCandidate'] = ResolversParentTypes['ForecastCandidate']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  probabilities?: Resolver<ReadonlyArray<ResolversTypes['AnswerProbability']>, ParentType, ContextType>;
  weight?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  brier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type ForecastRecordResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ForecastRecord'] = ResolversParentTypes['ForecastRecord']> = {
  rulesVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  period?: Resolver<ResolversTypes['Period'], ParentType, ContextType>;
  checkpoints?: Resolver<ReadonlyArray<ResolversTypes['ForecastCheckpoint']>, ParentType, ContextType>;
  betterAt?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  worseAt?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ForecastCheckpointResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ForecastCheckpoint'] = ResolversParentTypes['ForecastCheckpoint']> = {
  minute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  rounds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  brier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  priceBrier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  crowdBrier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  totalBrier?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  totalPriceBrier?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  bestCandidate?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  calibration?: Resolver<ReadonlyArray<ResolversTypes['ForecastBin']>, ParentType, ContextType>;
};

export type ForecastBinResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ForecastBin'] = ResolversParentTypes['ForecastBin']> = {
  from?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  forecast?: Resolver<ResolversTypes['ForecastReliability'], ParentType, ContextType>;
  price?: Resolver<ResolversTypes['ForecastReliability'], ParentType, ContextType>;
  crowd?: Resolver<ResolversTypes['ForecastReliability'], ParentType, ContextType>;
};

export type ForecastReliabilityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ForecastReliability'] = ResolversParentTypes['ForecastReliability']> = {
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  meanProbability?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  hitRate?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type ReferencePriceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ReferencePrice'] = ResolversParentTypes['ReferencePrice']> = {
  asset?: Resolver<ResolversTypes['Asset'], ParentType, ContextType>;
  priceUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  openUsd?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  highUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lowUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type ReferenceBasisResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ReferenceBasis'] = ResolversParentTypes['ReferenceBasis']> = {
  covariance?: Resolver<ReadonlyArray<ReadonlyArray<ResolversTypes['Float']>>, ParentType, ContextType>;
  signBefore?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type HourCandleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HourCandle'] = ResolversParentTypes['HourCandle']> = {
  startTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  openUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  highUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lowUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  closeUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  volume?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type CrowdResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Crowd'] = ResolversParentTypes['Crowd']> = {
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  meanConfidencePct?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  meanConfidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  answers?: Resolver<ReadonlyArray<ResolversTypes['CrowdAnswer']>, ParentType, ContextType>;
};

export type CrowdAnswerResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CrowdAnswer'] = ResolversParentTypes['CrowdAnswer']> = {
  answer?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  share?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  meanConfidencePct?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  meanConfidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type CrowdPointResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CrowdPoint'] = ResolversParentTypes['CrowdPoint']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  shares?: Resolver<ReadonlyArray<ResolversTypes['CrowdShare']>, ParentType, ContextType>;
};

export type CrowdShareResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CrowdShare'] = ResolversParentTypes['CrowdShare']> = {
  answer?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  share?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  confidenceSum?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type AmendmentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Amendment'] = ResolversParentTypes['Amendment']> = {
  amendedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  fromEvidence?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  voidReason?: Resolver<Maybe<ResolversTypes['VoidReason']>, ParentType, ContextType>;
  previousOutcome?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  previousVoidReason?: Resolver<Maybe<ResolversTypes['VoidReason']>, ParentType, ContextType>;
  previousVoidNote?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  evidence?: Resolver<ReadonlyArray<ResolversTypes['Evidence']>, ParentType, ContextType>;
  agreedCandles?: Resolver<ReadonlyArray<ResolversTypes['AgreedCandle']>, ParentType, ContextType>;
};

export type EvidenceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Evidence'] = ResolversParentTypes['Evidence']> = {
  symbol?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hourStart?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  openUsd?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  highUsd?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lowUsd?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  closeUsd?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  volume?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bodyHash?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sourceTime?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  fetchedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  counted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  leftOut?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AgreedCandleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AgreedCandle'] = ResolversParentTypes['AgreedCandle']> = {
  symbol?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hourStart?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  openUsd?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  highUsd?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lowUsd?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  closeUsd?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  volume?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PredictionConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PredictionConnection'] = ResolversParentTypes['PredictionConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['PredictionEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Prediction']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PredictionEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PredictionEdge'] = ResolversParentTypes['PredictionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Prediction'], ParentType, ContextType>;
};

export type RoundConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RoundConnection'] = ResolversParentTypes['RoundConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['RoundEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Round']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type RoundEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RoundEdge'] = ResolversParentTypes['RoundEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Round'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QuestionParamsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['QuestionParams'] = ResolversParentTypes['QuestionParams']> = {
  subject?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  operator?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  thresholdPct?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  n?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type RoundAssetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RoundAsset'] = ResolversParentTypes['RoundAsset']> = {
  symbol?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  providerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  startPriceUsd?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  endPriceUsd?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  highUsd?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  lowUsd?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  returnPct?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  candles?: Resolver<Maybe<ReadonlyArray<ResolversTypes['HourCandle']>>, ParentType, ContextType, RequireFields<RoundAssetCandlesArgs, 'hours'>>;
};

export type PredictionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Prediction'] = ResolversParentTypes['Prediction']> = {
  id?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agentId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agentName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  agent?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
  roundId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  round?: Resolver<ResolversTypes['Round'], ParentType, ContextType>;
  question?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  questionType?: Resolver<ResolversTypes['QuestionType'], ParentType, ContextType>;
  prediction?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  confidence?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  submittedAt?: Resolver<ResolversTypes['String'], ParentType, ContextType, RequireFields<PredictionSubmittedAtArgs, 'format'>>;
  score?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  isCorrect?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  streakBonus?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  place?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  arenaPoints?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  pnlUsd?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  brier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  contribution?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  peerScore?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  arenaEdge?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  standing?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  setAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  dryRun?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  leafHash?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  leadSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  reference?: Resolver<ReadonlyArray<ResolversTypes['AnswerProbability']>, ParentType, ContextType>;
  rationale?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rationaleLength?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type LeaderboardResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Leaderboard'] = ResolversParentTypes['Leaderboard']> = {
  period?: Resolver<ResolversTypes['Period'], ParentType, ContextType>;
  orderBy?: Resolver<ResolversTypes['BoardOrder'], ParentType, ContextType>;
  minRounds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rankIntervalsAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  places?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  rankings?: Resolver<ReadonlyArray<ResolversTypes['LeaderboardRow']>, ParentType, ContextType>;
  benchmarks?: Resolver<ReadonlyArray<ResolversTypes['Benchmark']>, ParentType, ContextType, RequireFields<LeaderboardBenchmarksArgs, 'minute'>>;
};

export type BenchmarkResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Benchmark'] = ResolversParentTypes['Benchmark']> = {
  name?: Resolver<ResolversTypes['BenchmarkName'], ParentType, ContextType>;
  period?: Resolver<ResolversTypes['Period'], ParentType, ContextType>;
  minute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  rounds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  brier?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
};

export type LeaderboardRowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['LeaderboardRow'] = ResolversParentTypes['LeaderboardRow']> = {
  rank?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agentId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  agent?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
  totalPoints?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalArenaPoints?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  credentialTier?: Resolver<ResolversTypes['Tier'], ParentType, ContextType>;
  simPnlTotal?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  winRate?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currentStreak?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  bestStreak?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalCompetitions?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalWins?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  interval?: Resolver<Maybe<ResolversTypes['Interval']>, ParentType, ContextType>;
  rankInterval?: Resolver<Maybe<ResolversTypes['RankInterval']>, ParentType, ContextType>;
  tiedWithAbove?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  medianMinute?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  luck?: Resolver<Maybe<ResolversTypes['Luck']>, ParentType, ContextType>;
  rankChange?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  recentPoints?: Resolver<ReadonlyArray<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ArchivedLeaderboardResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ArchivedLeaderboard'] = ResolversParentTypes['ArchivedLeaderboard']> = {
  period?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ArchiveKind'], ParentType, ContextType>;
  startTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  rounds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agents?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  frozenAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  amendedRounds?: Resolver<ReadonlyArray<ResolversTypes['Int']>, ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  next?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  rankings?: Resolver<ReadonlyArray<ResolversTypes['ArchivedRow']>, ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ArchivedRowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ArchivedRow'] = ResolversParentTypes['ArchivedRow']> = {
  rank?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agentId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  agent?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
  totalPoints?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalArenaPoints?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  simPnlTotal?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  winRate?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  bestStreak?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalCompetitions?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalWins?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  brier?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  skill?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
};

export type ArchiveConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ArchiveConnection'] = ResolversParentTypes['ArchiveConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ArchiveEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ArchivedLeaderboard']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ArchiveEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ArchiveEdge'] = ResolversParentTypes['ArchiveEdge']> = {
  node?: Resolver<ResolversTypes['ArchivedLeaderboard'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ModelRowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ModelRow'] = ResolversParentTypes['ModelRow']> = {
  model?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  hitRate?: Resolver<ResolversTypes['Estimate'], ParentType, ContextType>;
  meanConfidence?: Resolver<ResolversTypes['Estimate'], ParentType, ContextType>;
  brier?: Resolver<ResolversTypes['Estimate'], ParentType, ContextType>;
  skill?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  pnlTotalUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type BreakdownKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BreakdownKey'] = ResolversParentTypes['BreakdownKey']> = {
  dimension?: Resolver<ResolversTypes['BreakdownDimension'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type BreakdownGroupResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BreakdownGroup'] = ResolversParentTypes['BreakdownGroup']> = {
  keys?: Resolver<ReadonlyArray<ResolversTypes['BreakdownKey']>, ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  hitRate?: Resolver<ResolversTypes['Estimate'], ParentType, ContextType>;
  meanConfidence?: Resolver<ResolversTypes['Estimate'], ParentType, ContextType>;
  brier?: Resolver<ResolversTypes['Estimate'], ParentType, ContextType>;
  referenceBrier?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  skill?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  edge?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  pnlUsd?: Resolver<ResolversTypes['Estimate'], ParentType, ContextType>;
  pnlTotalUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type EstimateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Estimate'] = ResolversParentTypes['Estimate']> = {
  mean?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  low?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  high?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type HeadToHeadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HeadToHead'] = ResolversParentTypes['HeadToHead']> = {
  a?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
  b?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  aAhead?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  bAhead?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  even?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  brierGain?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  edgeGain?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  pointsGain?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
  pnlGainUsd?: Resolver<Maybe<ResolversTypes['Estimate']>, ParentType, ContextType>;
};

export type MarketResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Market'] = ResolversParentTypes['Market']> = {
  timestamp?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  stale?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  warning?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  assets?: Resolver<ReadonlyArray<ResolversTypes['MarketAsset']>, ParentType, ContextType>;
};

export type MarketAssetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MarketAsset'] = ResolversParentTypes['MarketAsset']> = {
  symbol?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  priceUsd?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  change1h?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  change24h?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  high24h?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  low24h?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  volume24h?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  providerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Records'] = ResolversParentTypes['Records']> = {
  longestStreak?: Resolver<Maybe<ResolversTypes['Agent']>, ParentType, ContextType>;
  biggestUpset?: Resolver<Maybe<ResolversTypes['Round']>, ParentType, ContextType>;
  closestCall?: Resolver<Maybe<ResolversTypes['CloseCall']>, ParentType, ContextType>;
};

export type CloseCallResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CloseCall'] = ResolversParentTypes['CloseCall']> = {
  round?: Resolver<ResolversTypes['Round'], ParentType, ContextType>;
  marginPct?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type StatsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Stats'] = ResolversParentTypes['Stats']> = {
  totalAgents?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalCompetitions?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  totalPredictions?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  activeRound?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  activeRoundId?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  activeEntries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  arenaPointsPerRound?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  topAgent?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  topAgentCredential?: Resolver<Maybe<ResolversTypes['Tier']>, ParentType, ContextType>;
  avgConfidence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  avgConfidencePct?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  skilled?: Resolver<Maybe<ResolversTypes['Skilled']>, ParentType, ContextType>;
  credentialHolders?: Resolver<ResolversTypes['CredentialHolders'], ParentType, ContextType>;
  calibration?: Resolver<ResolversTypes['Calibration'], ParentType, ContextType, RequireFields<StatsCalibrationArgs, 'window'>>;
  punctuality?: Resolver<ReadonlyArray<ResolversTypes['Punctuality']>, ParentType, ContextType>;
};

export type PunctualityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Punctuality'] = ResolversParentTypes['Punctuality']> = {
  period?: Resolver<ResolversTypes['Period'], ParentType, ContextType>;
  rounds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  openedP50Seconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  openedP99Seconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  decidedP50Seconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  decidedP99Seconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type SkilledResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Skilled'] = ResolversParentTypes['Skilled']> = {
  tested?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agents?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  expectedByChance?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  named?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CredentialHoldersResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CredentialHolders'] = ResolversParentTypes['CredentialHolders']> = {
  bronze?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  silver?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  gold?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  diamond?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type HealthResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Health'] = ResolversParentTypes['Health']> = {
  status?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  service?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  timestamp?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastSeq?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  marketSource?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  warning?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  picks?: Resolver<ResolversTypes['Picks'], ParentType, ContextType>;
  sources?: Resolver<ReadonlyArray<ResolversTypes['SourceStatus']>, ParentType, ContextType>;
  clock?: Resolver<ResolversTypes['ServiceClock'], ParentType, ContextType>;
};

export type ServiceClockResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ServiceClock'] = ResolversParentTypes['ServiceClock']> = {
  now?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  speed?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type SourceStatusResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SourceStatus'] = ResolversParentTypes['SourceStatus']> = {
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['SourceState'], ParentType, ContextType>;
  lastSuccessAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastErrorAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ScheduledRoundResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ScheduledRound'] = ResolversParentTypes['ScheduledRound']> = {
  startTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  questionType?: Resolver<ResolversTypes['QuestionType'], ParentType, ContextType>;
  assets?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RegistrationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Registration'] = ResolversParentTypes['Registration']> = {
  agent?: Resolver<ResolversTypes['Agent'], ParentType, ContextType>;
  apiKey?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RotatedKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RotatedKey'] = ResolversParentTypes['RotatedKey']> = {
  apiKey?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ActivationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Activation'] = ResolversParentTypes['Activation']> = {
  mode?: Resolver<ResolversTypes['AgentMode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  nextRound?: Resolver<ResolversTypes['Round'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  events?: SubscriptionResolver<ResolversTypes['Event'], "events", ParentType, ContextType, Partial<SubscriptionEventsArgs>>;
  roundUpdated?: SubscriptionResolver<ResolversTypes['Round'], "roundUpdated", ParentType, ContextType, Partial<SubscriptionRoundUpdatedArgs>>;
  leaderboardUpdated?: SubscriptionResolver<ResolversTypes['Leaderboard'], "leaderboardUpdated", ParentType, ContextType, RequireFields<SubscriptionLeaderboardUpdatedArgs, 'period' | 'limit'>>;
  marketUpdated?: SubscriptionResolver<ResolversTypes['Market'], "marketUpdated", ParentType, ContextType>;
};

export type EventResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Event'] = ResolversParentTypes['Event']> = {
  seq?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['EventKind'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  roundId?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  round?: Resolver<Maybe<ResolversTypes['Round']>, ParentType, ContextType>;
  payload?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type Resolvers<ContextType = Context> = {
  DateTime?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  OwnLimits?: OwnLimitsResolvers<ContextType>;
  Budget?: BudgetResolvers<ContextType>;
  OwnRounds?: OwnRoundsResolvers<ContextType>;
  OwnRound?: OwnRoundResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  Change?: ChangeResolvers<ContextType>;
  PredictionProof?: PredictionProofResolvers<ContextType>;
  SignedRecord?: SignedRecordResolvers<ContextType>;
  RecordSignature?: RecordSignatureResolvers<ContextType>;
  ServiceKeys?: ServiceKeysResolvers<ContextType>;
  ServiceKey?: ServiceKeyResolvers<ContextType>;
  StandingPredictions?: StandingPredictionsResolvers<ContextType>;
  StandingPrediction?: StandingPredictionResolvers<ContextType>;
  Agent?: AgentResolvers<ContextType>;
  AgentConnection?: AgentConnectionResolvers<ContextType>;
  AgentEdge?: AgentEdgeResolvers<ContextType>;
  Standing?: StandingResolvers<ContextType>;
  RankInterval?: RankIntervalResolvers<ContextType>;
  MeanFigure?: MeanFigureResolvers<ContextType>;
  Luck?: LuckResolvers<ContextType>;
  CalibrationTest?: CalibrationTestResolvers<ContextType>;
  Calibration?: CalibrationResolvers<ContextType>;
  ReliabilityBin?: ReliabilityBinResolvers<ContextType>;
  Interval?: IntervalResolvers<ContextType>;
  HistoryPoint?: HistoryPointResolvers<ContextType>;
  Round?: RoundResolvers<ContextType>;
  ReferencePoint?: ReferencePointResolvers<ContextType>;
  RoundQuotes?: RoundQuotesResolvers<ContextType>;
  AnswerProbability?: AnswerProbabilityResolvers<ContextType>;
  Forecast?: ForecastResolvers<ContextType>;
  ForecastCandidate?: ForecastCandidateResolvers<ContextType>;
  ForecastRecord?: ForecastRecordResolvers<ContextType>;
  ForecastCheckpoint?: ForecastCheckpointResolvers<ContextType>;
  ForecastBin?: ForecastBinResolvers<ContextType>;
  ForecastReliability?: ForecastReliabilityResolvers<ContextType>;
  ReferencePrice?: ReferencePriceResolvers<ContextType>;
  ReferenceBasis?: ReferenceBasisResolvers<ContextType>;
  HourCandle?: HourCandleResolvers<ContextType>;
  Crowd?: CrowdResolvers<ContextType>;
  CrowdAnswer?: CrowdAnswerResolvers<ContextType>;
  CrowdPoint?: CrowdPointResolvers<ContextType>;
  CrowdShare?: CrowdShareResolvers<ContextType>;
  Amendment?: AmendmentResolvers<ContextType>;
  Evidence?: EvidenceResolvers<ContextType>;
  AgreedCandle?: AgreedCandleResolvers<ContextType>;
  PredictionConnection?: PredictionConnectionResolvers<ContextType>;
  PredictionEdge?: PredictionEdgeResolvers<ContextType>;
  RoundConnection?: RoundConnectionResolvers<ContextType>;
  RoundEdge?: RoundEdgeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  QuestionParams?: QuestionParamsResolvers<ContextType>;
  RoundAsset?: RoundAssetResolvers<ContextType>;
  Prediction?: PredictionResolvers<ContextType>;
  Leaderboard?: LeaderboardResolvers<ContextType>;
  Benchmark?: BenchmarkResolvers<ContextType>;
  LeaderboardRow?: LeaderboardRowResolvers<ContextType>;
  ArchivedLeaderboard?: ArchivedLeaderboardResolvers<ContextType>;
  ArchivedRow?: ArchivedRowResolvers<ContextType>;
  ArchiveConnection?: ArchiveConnectionResolvers<ContextType>;
  ArchiveEdge?: ArchiveEdgeResolvers<ContextType>;
  ModelRow?: ModelRowResolvers<ContextType>;
  BreakdownKey?: BreakdownKeyResolvers<ContextType>;
  BreakdownGroup?: BreakdownGroupResolvers<ContextType>;
  Estimate?: EstimateResolvers<ContextType>;
  HeadToHead?: HeadToHeadResolvers<ContextType>;
  Market?: MarketResolvers<ContextType>;
  MarketAsset?: MarketAssetResolvers<ContextType>;
  Records?: RecordsResolvers<ContextType>;
  CloseCall?: CloseCallResolvers<ContextType>;
  Stats?: StatsResolvers<ContextType>;
  Punctuality?: PunctualityResolvers<ContextType>;
  Skilled?: SkilledResolvers<ContextType>;
  CredentialHolders?: CredentialHoldersResolvers<ContextType>;
  Health?: HealthResolvers<ContextType>;
  ServiceClock?: ServiceClockResolvers<ContextType>;
  SourceStatus?: SourceStatusResolvers<ContextType>;
  ScheduledRound?: ScheduledRoundResolvers<ContextType>;
  Registration?: RegistrationResolvers<ContextType>;
  RotatedKey?: RotatedKeyResolvers<ContextType>;
  Activation?: ActivationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Event?: EventResolvers<ContextType>;
  JSON?: GraphQLScalarType;
};

