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

export type RoundsFeedQueryVariables = Exact<{ [key: string]: never; }>;


export type RoundsFeedQuery = { readonly health: { readonly warning: string | null }, readonly serviceKeys: { readonly keys: ReadonlyArray<{ readonly publicKey: string }> }, readonly rounds: { readonly nodes: ReadonlyArray<{ readonly voidNote: string | null, readonly totalEntries: number, readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly outcome: string | null, readonly decidedAt: string | null, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly amendments: ReadonlyArray<{ readonly amendedAt: string }> }> } };

export type DecidedFragment = { readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly outcome: string | null, readonly decidedAt: string | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly amendments: ReadonlyArray<{ readonly amendedAt: string }> };

export type AgentFeedQueryVariables = Exact<{
  name: string;
}>;


export type AgentFeedQuery = { readonly health: { readonly warning: string | null }, readonly serviceKeys: { readonly keys: ReadonlyArray<{ readonly publicKey: string }> }, readonly agent: { readonly id: number, readonly name: string, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly prediction: string | null, readonly confidence: number | null, readonly standing: boolean, readonly isCorrect: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly place: number | null, readonly pnlUsd: number | null, readonly rationale: string | null, readonly round: { readonly totalEntries: number, readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly outcome: string | null, readonly decidedAt: string | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly amendments: ReadonlyArray<{ readonly amendedAt: string }> } }> } } | null };

export type ChangesFeedQueryVariables = Exact<{ [key: string]: never; }>;


export type ChangesFeedQuery = { readonly serviceKeys: { readonly keys: ReadonlyArray<{ readonly publicKey: string }> }, readonly changes: ReadonlyArray<{ readonly version: string, readonly date: string, readonly kind: ChangeKind, readonly text: string }> };

export const RoundsFeed = "query RoundsFeed{health{warning}serviceKeys{keys{publicKey}}rounds(first:50 status:[resolved void]){nodes{...Decided voidNote totalEntries crowd{n answers{answer n}}}}}fragment Decided on Round{id questionType choices params{subject thresholdPct n}startTime endTime outcome decidedAt amendments{amendedAt}}" as Document<RoundsFeedQuery, RoundsFeedQueryVariables>;
export const AgentFeed = "fragment Decided on Round{id questionType choices params{subject thresholdPct n}startTime endTime outcome decidedAt amendments{amendedAt}}query AgentFeed($name:String!){health{warning}serviceKeys{keys{publicKey}}agent(name:$name){id name predictions(first:50 status:[resolved]){nodes{prediction confidence standing isCorrect score streakBonus place pnlUsd rationale round{...Decided totalEntries}}}}}" as Document<AgentFeedQuery, AgentFeedQueryVariables>;
export const ChangesFeed = "query ChangesFeed{serviceKeys{keys{publicKey}}changes{version date kind text}}" as Document<ChangesFeedQuery, ChangesFeedQueryVariables>;
