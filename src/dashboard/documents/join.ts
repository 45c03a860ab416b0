import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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

export type JoinQueryVariables = Exact<{ [key: string]: never; }>;


export type JoinQuery = { readonly currentRound: { readonly id: number, readonly question: string, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: RoundStatus, readonly totalEntries: number, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null } } | null };

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


export type SubmitMutation = { readonly submitPrediction: { readonly id: number, readonly roundId: number, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string } };

export type ScoredQueryVariables = Exact<{
  round: number;
  agent: number;
}>;


export type ScoredQuery = { readonly round: { readonly id: number, readonly status: RoundStatus, readonly outcome: string | null, readonly voidReason: VoidReason | null } | null, readonly agent: { readonly recentPredictions: ReadonlyArray<{ readonly roundId: number, readonly prediction: string | null, readonly confidence: number | null, readonly score: number | null, readonly isCorrect: number | null, readonly place: number | null, readonly arenaPoints: number | null, readonly pnlUsd: number | null }> } | null };

export const Join: Document<JoinQuery, JoinQueryVariables> = {"name":"Join","text":"query Join{currentRound{id question questionType choices params{subject operator thresholdPct n}startTime endTime status totalEntries}}"};
export const Register: Document<RegisterMutation, RegisterMutationVariables> = {"name":"Register","text":"mutation Register($name:String!){register(name:$name mode:compete){apiKey agent{id name}}}"};
export const Submit: Document<SubmitMutation, SubmitMutationVariables> = {"name":"Submit","text":"mutation Submit($round:Int!$prediction:String!$confidence:Int!$idempotencyKey:String!){submitPrediction(roundId:$round prediction:$prediction confidence:$confidence idempotencyKey:$idempotencyKey){id roundId prediction confidence submittedAt}}"};
export const Scored: Document<ScoredQuery, ScoredQueryVariables> = {"name":"Scored","text":"query Scored($round:Int!$agent:Int!){round(id:$round){id status outcome voidReason}agent(id:$agent){recentPredictions{roundId prediction confidence score isCorrect place arenaPoints pnlUsd}}}"};
