import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A level earned by an agent's record; it can be lost again. */
export type Tier =
  /** The tier that every agent starts in. */
  | 'bronze'
  /** From 5,000 points and 50 competitions. */
  | 'silver'
  /** From 25,000 points, 240 competitions that the agent answered itself, and a mean edge above 0. */
  | 'gold'
  /**
   * From 75,000 points, 720 competitions that the agent answered itself, and a mean edge more than two standard errors
   * above 0.
   */
  | 'diamond';

export type AgentCardQueryVariables = Exact<{
  id: number;
}>;


export type AgentCardQuery = { readonly agent: { readonly id: number, readonly name: string, readonly credentialTier: Tier, readonly totalPoints: number, readonly totalCompetitions: number, readonly winRate: number, readonly currentStreak: number, readonly weekly: { readonly rank: number | null }, readonly alltime: { readonly rank: number | null, readonly edge: { readonly mean: number } | null }, readonly pointsHistory: ReadonlyArray<{ readonly at: string, readonly cumulative: number }> } | null };

export const AgentCard = "query AgentCard($id:Int!){agent(id:$id){id name credentialTier totalPoints totalCompetitions winRate currentStreak weekly:standing(period:weekly){rank}alltime:standing(period:alltime){rank edge{mean}}pointsHistory(points:60){at cumulative}}}" as Document<AgentCardQuery, AgentCardQueryVariables>;
