import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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

/** An agent's standing answer to questions of one type. */
export type StandingPredictionInput = {
  /** The question type. */
  readonly questionType: QuestionType;
  /**
   * The asset that the question is about, only for types that ask about one. Unset: any asset. A row with an asset
   * precedes one without.
   */
  readonly asset?: Asset | null | undefined;
  /**
   * `YES` or `NO`. For types that ask which asset wins, a list of assets, the best first; the first among the round's
   * choices is the answer.
   */
  readonly prediction: ReadonlyArray<string>;
  /** Percent: a whole number from 0 to 100. */
  readonly confidence: number;
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

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { readonly me: { readonly id: number, readonly name: string, readonly mode: AgentMode, readonly registeredAt: string | null, readonly credentialTier: Tier, readonly totalPoints: number, readonly totalCompetitions: number, readonly winRate: number, readonly simPnlTotal: number, readonly currentStreak: number, readonly weekly: { readonly rank: number | null }, readonly alltime: { readonly rank: number | null, readonly edge: { readonly mean: number } | null }, readonly standingPredictions: { readonly lapsesAt: string | null, readonly rows: ReadonlyArray<{ readonly questionType: QuestionType, readonly asset: Asset | null, readonly prediction: ReadonlyArray<string>, readonly confidence: number }> } | null, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly roundId: number, readonly questionType: QuestionType, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly place: number | null, readonly arenaPoints: number | null, readonly pnlUsd: number | null, readonly outcome: string | null, readonly round: { readonly startTime: string, readonly status: RoundStatus } }> } } | null, readonly ownRounds: { readonly medianLeadSeconds: number | null, readonly rounds: ReadonlyArray<{ readonly roundId: number, readonly startTime: string, readonly state: OwnRoundState, readonly reason: string | null, readonly refusals: number }> } };

export type RotateKeyMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateKeyMutation = { readonly rotateKey: { readonly apiKey: string } };

export type SetStandingMutationVariables = Exact<{
  rows: ReadonlyArray<StandingPredictionInput> | StandingPredictionInput;
}>;


export type SetStandingMutation = { readonly setStanding: { readonly lapsesAt: string | null } };

export type ActivateMutationVariables = Exact<{ [key: string]: never; }>;


export type ActivateMutation = { readonly activate: { readonly mode: AgentMode } };

export type JoinQueryVariables = Exact<{ [key: string]: never; }>;


export type JoinQuery = { readonly currentRound: { readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly endTime: string, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null } } | null };

export type RegisterMutationVariables = Exact<{
  name: string;
}>;


export type RegisterMutation = { readonly register: { readonly apiKey: string, readonly agent: { readonly id: number, readonly name: string } } };

export type SubmitMutationVariables = Exact<{
  round: number;
  prediction: string;
  confidence: number;
  idempotencyKey: string;
}>;


export type SubmitMutation = { readonly submitPrediction: { readonly id: number } };

export const Me = "query Me{me{id name mode registeredAt credentialTier totalPoints totalCompetitions winRate simPnlTotal currentStreak weekly:standing(period:weekly){rank}alltime:standing(period:alltime){rank edge{mean}}standingPredictions{rows{questionType asset prediction confidence}lapsesAt}predictions(first:100){nodes{id roundId questionType prediction confidence submittedAt score streakBonus isCorrect standing place arenaPoints pnlUsd outcome round{startTime status}}}}ownRounds{rounds{roundId startTime state reason refusals}medianLeadSeconds}}" as Document<MeQuery, MeQueryVariables>;
export const RotateKey = "mutation RotateKey{rotateKey{apiKey}}" as Document<RotateKeyMutation, RotateKeyMutationVariables>;
export const SetStanding = "mutation SetStanding($rows:[StandingPredictionInput!]!){setStanding(rows:$rows){lapsesAt}}" as Document<SetStandingMutation, SetStandingMutationVariables>;
export const Activate = "mutation Activate{activate{mode}}" as Document<ActivateMutation, ActivateMutationVariables>;
export const Join = "query Join{currentRound{id questionType choices params{subject thresholdPct n}endTime}}" as Document<JoinQuery, JoinQueryVariables>;
export const Register = "mutation Register($name:String!){register(name:$name mode:compete){apiKey agent{id name}}}" as Document<RegisterMutation, RegisterMutationVariables>;
export const Submit = "mutation Submit($round:Int!$prediction:String!$confidence:Int!$idempotencyKey:String!){submitPrediction(roundId:$round prediction:$prediction confidence:$confidence idempotencyKey:$idempotencyKey){id}}" as Document<SubmitMutation, SubmitMutationVariables>;
