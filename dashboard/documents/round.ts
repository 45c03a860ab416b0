import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type RoundPageQueryVariables = Exact<{
  id: number;
}>;


export type RoundPageQuery = { readonly round: { readonly id: number, readonly question: string, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly source: string, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null, readonly voidNote: string | null, readonly decidedAt: string | null, readonly difficulty: number | null, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly startPriceUsd: number | null, readonly endPriceUsd: number | null, readonly highUsd: number | null, readonly lowUsd: number | null, readonly returnPct: number | null }>, readonly crowd: { readonly n: number, readonly meanConfidencePct: number | null, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number, readonly meanConfidencePct: number | null }> } | null, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly arenaPoints: number | null, readonly pnlUsd: number | null }>, readonly pageInfo: { readonly hasNextPage: boolean } }, readonly evidence: ReadonlyArray<{ readonly symbol: string, readonly source: string, readonly hourStart: string, readonly openUsd: string | null, readonly highUsd: string | null, readonly lowUsd: string | null, readonly closeUsd: string | null, readonly counted: boolean, readonly leftOut: string | null }>, readonly agreedCandles: ReadonlyArray<{ readonly symbol: string, readonly hourStart: string, readonly openUsd: string, readonly highUsd: string, readonly lowUsd: string, readonly closeUsd: string }> } | null };

export type CallFragment = { readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly arenaPoints: number | null, readonly pnlUsd: number | null };

export type RoundCallsQueryVariables = Exact<{
  id: number;
  after?: number | null | undefined;
}>;


export type RoundCallsQuery = { readonly round: { readonly entries: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly arenaPoints: number | null, readonly pnlUsd: number | null }> } | null };

export type RoundChangesSubscriptionVariables = Exact<{
  id: number;
}>;


export type RoundChangesSubscription = { readonly roundUpdated: { readonly id: number, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly outcome: string | null } };

export const RoundPage: Document<RoundPageQuery, RoundPageQueryVariables> = {"name":"RoundPage","text":"query RoundPage($id:Int!){round(id:$id){id question questionType choices params{subject operator thresholdPct n}assets{symbol startPriceUsd endPriceUsd highUsd lowUsd returnPct}startTime endTime status totalEntries source outcome voidReason voidNote decidedAt difficulty crowd{n meanConfidencePct answers{answer n meanConfidencePct}}predictions(first:100){nodes{...Call}pageInfo{hasNextPage}}evidence{symbol source hourStart openUsd highUsd lowUsd closeUsd counted leftOut}agreedCandles{symbol hourStart openUsd highUsd lowUsd closeUsd}}}fragment Call on Prediction{id agentId agentName prediction confidence submittedAt place score streakBonus isCorrect arenaPoints pnlUsd}"};
export const RoundCalls: Document<RoundCallsQuery, RoundCallsQueryVariables> = {"name":"RoundCalls","text":"fragment Call on Prediction{id agentId agentName prediction confidence submittedAt place score streakBonus isCorrect arenaPoints pnlUsd}query RoundCalls($id:Int!$after:Int){round(id:$id){entries(limit:1000 after:$after){...Call}}}"};
export const RoundChanges: Document<RoundChangesSubscription, RoundChangesSubscriptionVariables> = {"name":"RoundChanges","text":"subscription RoundChanges($id:Int!){roundUpdated(id:$id){id status totalEntries outcome}}"};
