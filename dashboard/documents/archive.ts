import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ArchiveQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ArchiveQuery = { readonly days: { readonly nodes: ReadonlyArray<{ readonly period: string, readonly startTime: string, readonly summary: string }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } }, readonly weeks: { readonly nodes: ReadonlyArray<{ readonly period: string }> }, readonly months: { readonly nodes: ReadonlyArray<{ readonly period: string }> } };

export const Archive = "query Archive($after:String){days:leaderboardArchives(kind:day first:100 after:$after){nodes{period startTime summary}pageInfo{endCursor hasNextPage}}weeks:leaderboardArchives(kind:week first:100){nodes{period}}months:leaderboardArchives(kind:month first:100){nodes{period}}}" as Document<ArchiveQuery, ArchiveQueryVariables>;
