import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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

export type KeptFragment = { readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly outcome: string | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null } };

export type ArchiveQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ArchiveQuery = { readonly records: { readonly longestStreak: { readonly id: number, readonly name: string, readonly bestStreak: number } | null, readonly biggestUpset: { readonly totalEntries: number, readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly outcome: string | null, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null } } | null, readonly closestCall: { readonly marginPct: number, readonly round: { readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly outcome: string | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null } } } | null }, readonly days: { readonly nodes: ReadonlyArray<{ readonly period: string, readonly startTime: string, readonly summary: string }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } }, readonly weeks: { readonly nodes: ReadonlyArray<{ readonly period: string }> }, readonly months: { readonly nodes: ReadonlyArray<{ readonly period: string }> } };

export const Archive = "fragment Kept on Round{id questionType choices params{subject thresholdPct n}outcome}query Archive($after:String){records{longestStreak{id name bestStreak}biggestUpset{...Kept totalEntries crowd{n answers{answer n}}}closestCall{round{...Kept}marginPct}}days:leaderboardArchives(kind:day first:100 after:$after){nodes{period startTime summary}pageInfo{endCursor hasNextPage}}weeks:leaderboardArchives(kind:week first:100){nodes{period}}months:leaderboardArchives(kind:month first:100){nodes{period}}}" as Document<ArchiveQuery, ArchiveQueryVariables>;
