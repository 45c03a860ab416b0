import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { readonly me: { readonly id: number, readonly name: string, readonly mode: Types.AgentMode, readonly credentialTier: Types.Tier, readonly totalPoints: number, readonly totalCompetitions: number, readonly winRate: number, readonly simPnlTotal: number, readonly currentStreak: number, readonly weekly: { readonly rank: number | null }, readonly alltime: { readonly rank: number | null, readonly edge: { readonly mean: number } | null }, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly roundId: number, readonly questionType: Types.QuestionType, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly place: number | null, readonly pnlUsd: number | null, readonly round: { readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly assets: ReadonlyArray<{ readonly symbol: string }> } }> } } | null };

export type RotateKeyMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateKeyMutation = { readonly rotateKey: { readonly apiKey: string } };

export type ActivateMutationVariables = Exact<{ [key: string]: never; }>;


export type ActivateMutation = { readonly activate: { readonly mode: Types.AgentMode } };

export const Me: Document<MeQuery, MeQueryVariables> = {"name":"Me","text":"query Me{me{id name mode credentialTier totalPoints totalCompetitions winRate simPnlTotal currentStreak weekly:standing(period:weekly){rank}alltime:standing(period:alltime){rank edge{mean}}predictions(first:20){nodes{id roundId questionType prediction confidence submittedAt score streakBonus isCorrect place pnlUsd round{startTime endTime status assets{symbol}}}}}}"};
export const RotateKey: Document<RotateKeyMutation, RotateKeyMutationVariables> = {"name":"RotateKey","text":"mutation RotateKey{rotateKey{apiKey}}"};
export const Activate: Document<ActivateMutation, ActivateMutationVariables> = {"name":"Activate","text":"mutation Activate{activate{mode}}"};
