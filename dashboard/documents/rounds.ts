import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type RoundsQueryVariables = Exact<{
  after?: string | null | undefined;
  status?: ReadonlyArray<Types.RoundStatus> | Types.RoundStatus | null | undefined;
  questionType?: ReadonlyArray<Types.QuestionType> | Types.QuestionType | null | undefined;
  asset?: string | null | undefined;
}>;


export type RoundsQuery = { readonly rounds: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly totalEntries: number, readonly outcome: string | null, readonly voidReason: Types.VoidReason | null, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export const Rounds: Document<RoundsQuery, RoundsQueryVariables> = {"name":"Rounds","text":"query Rounds($after:String$status:[RoundStatus!]$questionType:[QuestionType!]$asset:String){rounds(first:24 after:$after status:$status questionType:$questionType asset:$asset){nodes{id questionType choices params{subject operator thresholdPct n}startTime endTime status totalEntries outcome voidReason crowd{n answers{answer n}}}pageInfo{hasNextPage endCursor}}}"};
