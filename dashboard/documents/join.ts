import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type JoinQueryVariables = Exact<{ [key: string]: never; }>;


export type JoinQuery = { readonly currentRound: { readonly id: number, readonly question: string, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null } } | null };

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


export type ScoredQuery = { readonly round: { readonly id: number, readonly status: Types.RoundStatus, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null } | null, readonly agent: { readonly recentPredictions: ReadonlyArray<{ readonly roundId: number, readonly prediction: string | null, readonly confidence: number | null, readonly score: number | null, readonly isCorrect: number | null, readonly place: number | null, readonly arenaPoints: number | null, readonly pnlUsd: number | null }> } | null };

export const Join: Document<JoinQuery, JoinQueryVariables> = {"name":"Join","text":"query Join{currentRound{id question questionType choices params{subject operator thresholdPct n}startTime endTime status totalEntries}}"};
export const Register: Document<RegisterMutation, RegisterMutationVariables> = {"name":"Register","text":"mutation Register($name:String!){register(name:$name mode:compete){apiKey agent{id name}}}"};
export const Submit: Document<SubmitMutation, SubmitMutationVariables> = {"name":"Submit","text":"mutation Submit($round:Int!$prediction:String!$confidence:Int!$idempotencyKey:String!){submitPrediction(roundId:$round prediction:$prediction confidence:$confidence idempotencyKey:$idempotencyKey){id roundId prediction confidence submittedAt}}"};
export const Scored: Document<ScoredQuery, ScoredQueryVariables> = {"name":"Scored","text":"query Scored($round:Int!$agent:Int!){round(id:$round){id status outcome voidReason}agent(id:$agent){recentPredictions{roundId prediction confidence score isCorrect place arenaPoints pnlUsd}}}"};
