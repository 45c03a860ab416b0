import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type EntryFragment = { readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string };

export type LiveRoundFragment = { readonly id: number, readonly question: string, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly source: string, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly startPriceUsd: number | null, readonly endPriceUsd: number | null, readonly returnPct: number | null }>, readonly crowd: { readonly n: number, readonly meanConfidencePct: number | null, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number, readonly meanConfidencePct: number | null }> } | null, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string }> } };

export type DecidedRoundFragment = { readonly id: number, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null };

export type NowQueryVariables = Exact<{ [key: string]: never; }>;


export type NowQuery = { readonly currentRound: { readonly id: number, readonly question: string, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly source: string, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly startPriceUsd: number | null, readonly endPriceUsd: number | null, readonly returnPct: number | null }>, readonly crowd: { readonly n: number, readonly meanConfidencePct: number | null, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number, readonly meanConfidencePct: number | null }> } | null, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string }> } } | null, readonly nextRound: { readonly id: number, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null } } | null, readonly rounds: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null }> }, readonly market: { readonly timestamp: string, readonly stale: boolean, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly priceUsd: number, readonly change1h: number, readonly change24h: number }> } };

export type PricesFragment = { readonly timestamp: string, readonly stale: boolean, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly priceUsd: number, readonly change1h: number, readonly change24h: number }> };

export type EntriesQueryVariables = Exact<{
  round: number;
  after?: number | null | undefined;
}>;


export type EntriesQuery = { readonly round: { readonly entries: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string }> } | null };

export type NextQueryVariables = Exact<{ [key: string]: never; }>;


export type NextQuery = { readonly nextRound: { readonly id: number, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null } } | null };

export type RoundNowSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type RoundNowSubscription = { readonly roundUpdated: { readonly id: number, readonly question: string, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly source: string, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly startPriceUsd: number | null, readonly endPriceUsd: number | null, readonly returnPct: number | null }>, readonly crowd: { readonly n: number, readonly meanConfidencePct: number | null, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number, readonly meanConfidencePct: number | null }> } | null, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string }> } } };

export type PricesNowSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type PricesNowSubscription = { readonly marketUpdated: { readonly timestamp: string, readonly stale: boolean, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly priceUsd: number, readonly change1h: number, readonly change24h: number }> } };

export type HappeningsSubscriptionVariables = Exact<{
  after?: number | null | undefined;
}>;


export type HappeningsSubscription = { readonly events: { readonly seq: number, readonly kind: Types.EventKind, readonly at: string, readonly roundId: number | null, readonly round: { readonly id: number, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null } | null } };

export const Now: Document<NowQuery, NowQueryVariables> = {"name":"Now","text":"fragment Entry on Prediction{id agentId agentName prediction confidence submittedAt}fragment LiveRound on Round{id question questionType choices params{subject operator thresholdPct n}assets{symbol startPriceUsd endPriceUsd returnPct}startTime endTime status totalEntries source outcome voidReason crowd{n meanConfidencePct answers{answer n meanConfidencePct}}predictions(first:50 orderBy:NEWEST){nodes{...Entry}}}fragment DecidedRound on Round{id questionType choices params{subject operator thresholdPct n}startTime endTime status totalEntries outcome voidReason crowd{n answers{answer n}}}query Now{currentRound{...LiveRound}nextRound{id questionType choices params{subject operator thresholdPct n}startTime}rounds(first:6 status:[resolving resolved void]ended:true){nodes{...DecidedRound}}market{...Prices}}fragment Prices on Market{timestamp stale assets{symbol priceUsd change1h change24h}}"};
export const Entries: Document<EntriesQuery, EntriesQueryVariables> = {"name":"Entries","text":"fragment Entry on Prediction{id agentId agentName prediction confidence submittedAt}query Entries($round:Int!$after:Int){round(id:$round){entries(limit:1000 after:$after){...Entry}}}"};
export const Next: Document<NextQuery, NextQueryVariables> = {"name":"Next","text":"query Next{nextRound{id questionType choices params{subject operator thresholdPct n}startTime}}"};
export const RoundNow: Document<RoundNowSubscription, RoundNowSubscriptionVariables> = {"name":"RoundNow","text":"fragment Entry on Prediction{id agentId agentName prediction confidence submittedAt}fragment LiveRound on Round{id question questionType choices params{subject operator thresholdPct n}assets{symbol startPriceUsd endPriceUsd returnPct}startTime endTime status totalEntries source outcome voidReason crowd{n meanConfidencePct answers{answer n meanConfidencePct}}predictions(first:50 orderBy:NEWEST){nodes{...Entry}}}subscription RoundNow{roundUpdated{...LiveRound}}"};
export const PricesNow: Document<PricesNowSubscription, PricesNowSubscriptionVariables> = {"name":"PricesNow","text":"fragment Prices on Market{timestamp stale assets{symbol priceUsd change1h change24h}}subscription PricesNow{marketUpdated{...Prices}}"};
export const Happenings: Document<HappeningsSubscription, HappeningsSubscriptionVariables> = {"name":"Happenings","text":"fragment DecidedRound on Round{id questionType choices params{subject operator thresholdPct n}startTime endTime status totalEntries outcome voidReason crowd{n answers{answer n}}}subscription Happenings($after:Int){events(after:$after kinds:[ROUND_OPENED ROUND_CLOSED ROUND_RESOLVED ROUND_VOID]){seq kind at roundId round{...DecidedRound}}}"};
