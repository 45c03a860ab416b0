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

export type EntryFragment = { readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly standing: boolean };

export type LiveRoundFragment = { readonly id: number, readonly question: string, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: VoidReason | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly returnPct: number | null }>, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly standing: boolean }> } };

export type DecidedRoundFragment = { readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: VoidReason | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly best: { readonly nodes: ReadonlyArray<{ readonly agentId: number, readonly agentName: string, readonly pnlUsd: number | null }> } };

export type NowQueryVariables = Exact<{ [key: string]: never; }>;


export type NowQuery = { readonly currentRound: { readonly id: number, readonly question: string, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: VoidReason | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly returnPct: number | null }>, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly standing: boolean }> } } | null, readonly nextRound: { readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null } } | null, readonly rounds: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: VoidReason | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly best: { readonly nodes: ReadonlyArray<{ readonly agentId: number, readonly agentName: string, readonly pnlUsd: number | null }> } }> } };

export type MarketQueryVariables = Exact<{ [key: string]: never; }>;


export type MarketQuery = { readonly market: { readonly timestamp: string, readonly stale: boolean, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly priceUsd: number, readonly change1h: number, readonly change24h: number }> } };

export type PricesFragment = { readonly timestamp: string, readonly stale: boolean, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly priceUsd: number, readonly change1h: number, readonly change24h: number }> };

export type EntriesQueryVariables = Exact<{
  round: number;
  after?: number | null | undefined;
}>;


export type EntriesQuery = { readonly round: { readonly entries: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly standing: boolean }> } | null };

export type RoundNowSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type RoundNowSubscription = { readonly roundUpdated: { readonly id: number, readonly question: string, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: VoidReason | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly returnPct: number | null }>, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly standing: boolean }> } } };

export type PricesNowSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type PricesNowSubscription = { readonly marketUpdated: { readonly timestamp: string, readonly stale: boolean, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly priceUsd: number, readonly change1h: number, readonly change24h: number }> } };

export type HappeningsSubscriptionVariables = Exact<{
  after?: number | null | undefined;
}>;


export type HappeningsSubscription = { readonly events: { readonly seq: number, readonly round: { readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: VoidReason | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly best: { readonly nodes: ReadonlyArray<{ readonly agentId: number, readonly agentName: string, readonly pnlUsd: number | null }> } } | null } };

export const Now = "fragment Entry on Prediction{id agentId agentName prediction confidence submittedAt standing}fragment LiveRound on Round{id question questionType choices params{subject thresholdPct n}assets{symbol returnPct}startTime endTime status totalEntries outcome voidReason crowd{n answers{answer n}}predictions(first:50 orderBy:NEWEST){nodes{...Entry}}}fragment DecidedRound on Round{id questionType choices params{subject thresholdPct n}startTime endTime status totalEntries outcome voidReason crowd{n answers{answer n}}best:predictions(first:1 orderBy:PLACE){nodes{agentId agentName pnlUsd}}}query Now{currentRound{...LiveRound}nextRound{id questionType choices params{subject thresholdPct n}startTime}rounds(first:6 status:[resolving resolved void]ended:true){nodes{...DecidedRound}}}" as Document<NowQuery, NowQueryVariables>;
export const Market = "query Market{market{...Prices}}fragment Prices on Market{timestamp stale assets{symbol priceUsd change1h change24h}}" as Document<MarketQuery, MarketQueryVariables>;
export const Entries = "fragment Entry on Prediction{id agentId agentName prediction confidence submittedAt standing}query Entries($round:Int!$after:Int){round(id:$round){entries(limit:500 after:$after){...Entry}}}" as Document<EntriesQuery, EntriesQueryVariables>;
export const RoundNow = "fragment Entry on Prediction{id agentId agentName prediction confidence submittedAt standing}fragment LiveRound on Round{id question questionType choices params{subject thresholdPct n}assets{symbol returnPct}startTime endTime status totalEntries outcome voidReason crowd{n answers{answer n}}predictions(first:50 orderBy:NEWEST){nodes{...Entry}}}subscription RoundNow{roundUpdated{...LiveRound}}" as Document<RoundNowSubscription, RoundNowSubscriptionVariables>;
export const PricesNow = "fragment Prices on Market{timestamp stale assets{symbol priceUsd change1h change24h}}subscription PricesNow{marketUpdated{...Prices}}" as Document<PricesNowSubscription, PricesNowSubscriptionVariables>;
export const Happenings = "fragment DecidedRound on Round{id questionType choices params{subject thresholdPct n}startTime endTime status totalEntries outcome voidReason crowd{n answers{answer n}}best:predictions(first:1 orderBy:PLACE){nodes{agentId agentName pnlUsd}}}subscription Happenings($after:Int){events(after:$after kinds:[ROUND_OPENED ROUND_CLOSED ROUND_RESOLVED ROUND_VOID ROUND_AMENDED]){seq round{...DecidedRound}}}" as Document<HappeningsSubscription, HappeningsSubscriptionVariables>;
