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

/** The order of a list of agents. */
export type AgentOrder =
  /** In the order of registration. */
  | 'OLDEST'
  /** The latest registration first. */
  | 'NEWEST'
  /** By name, without regard to case. */
  | 'NAME'
  /** By all-time points, the most first, then by id. The order changes with each resolution. */
  | 'POINTS';

export type AgentsQueryVariables = Exact<{
  nameStartsWith?: string | null | undefined;
  orderBy: AgentOrder;
  after?: string | null | undefined;
}>;


export type AgentsQuery = { readonly agents: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly name: string, readonly credentialTier: Tier, readonly totalPoints: number, readonly totalCompetitions: number, readonly winRate: number, readonly medianMinute: number | null, readonly alltime: { readonly edge: { readonly mean: number } | null } }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export const Agents = "query Agents($nameStartsWith:String$orderBy:AgentOrder!$after:String){agents(nameStartsWith:$nameStartsWith orderBy:$orderBy first:100 after:$after mode:compete){nodes{id name credentialTier totalPoints totalCompetitions winRate medianMinute alltime:standing(period:alltime){edge{mean}}}pageInfo{endCursor hasNextPage}}}" as Document<AgentsQuery, AgentsQueryVariables>;
