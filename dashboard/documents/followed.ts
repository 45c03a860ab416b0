import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A window of resolved rounds, counted back from the newest resolved round's end. */
export type Period =
  /** The last 24 hours. */
  | 'daily'
  /** The last 7 days. */
  | 'weekly'
  /** The last 30 days. */
  | 'monthly'
  /** Every resolved round. */
  | 'alltime';

export type FollowedQueryVariables = Exact<{
  ids: ReadonlyArray<number> | number;
  period: Period;
}>;


export type FollowedQuery = { readonly agents: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly name: string, readonly totalCompetitions: number, readonly totalPoints: number, readonly standing: { readonly rank: number | null, readonly totalPoints: number, readonly edge: { readonly mean: number } | null } }> } };

export const Followed = "query Followed($ids:[Int!]!$period:Period!){agents(first:20 ids:$ids){nodes{id name totalCompetitions totalPoints standing(period:$period){rank totalPoints edge{mean}}}}}" as Document<FollowedQuery, FollowedQueryVariables>;
