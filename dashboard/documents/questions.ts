import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type QuestionsQueryVariables = Exact<{ [key: string]: never; }>;


export type QuestionsQuery = { readonly schedule: ReadonlyArray<{ readonly startTime: string, readonly questionType: Types.QuestionType, readonly assets: ReadonlyArray<string> }>, readonly rounds: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly questionType: Types.QuestionType, readonly choices: ReadonlyArray<string>, readonly difficulty: number | null, readonly outcome: string | null, readonly totalEntries: number, readonly params: { readonly subject: string | null, readonly operator: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly crowd: { readonly n: number, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null }> } };

export const Questions: Document<QuestionsQuery, QuestionsQueryVariables> = {"name":"Questions","text":"query Questions{schedule(hours:26){startTime questionType assets}rounds(first:100 status:[resolved]){nodes{id questionType choices params{subject operator thresholdPct n}difficulty outcome totalEntries crowd{n answers{answer n}}}}}"};
