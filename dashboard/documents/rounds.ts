import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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

export type RoundsQueryVariables = Exact<{
  after?: string | null | undefined;
  status?: ReadonlyArray<RoundStatus> | RoundStatus | null | undefined;
  questionType?: ReadonlyArray<QuestionType> | QuestionType | null | undefined;
  asset?: string | null | undefined;
}>;


export type RoundsQuery = { readonly rounds: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: VoidReason | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export const Rounds = "query Rounds($after:String$status:[RoundStatus!]$questionType:[QuestionType!]$asset:String){rounds(first:24 after:$after status:$status questionType:$questionType asset:$asset){nodes{id questionType choices params{subject thresholdPct n}startTime endTime status totalEntries outcome voidReason crowd{n answers{answer n}}}pageInfo{hasNextPage endCursor}}}" as Document<RoundsQuery, RoundsQueryVariables>;
