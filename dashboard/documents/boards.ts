import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type HoldersQueryVariables = Exact<{
  period: Types.Period;
}>;


export type HoldersQuery = { readonly leaderboard: { readonly benchmarks: ReadonlyArray<{ readonly name: Types.BenchmarkName, readonly edge: { readonly mean: number } | null }> }, readonly stats: { readonly totalAgents: number, readonly credentialHolders: { readonly bronze: number, readonly silver: number, readonly gold: number, readonly diamond: number } } };

export const Holders: Document<HoldersQuery, HoldersQueryVariables> = {"name":"Holders","text":"query Holders($period:Period!){leaderboard(period:$period limit:1){benchmarks{name edge{mean}}}stats{totalAgents credentialHolders{bronze silver gold diamond}}}"};
