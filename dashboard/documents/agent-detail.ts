import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A property by which predictions are grouped. */
export type BreakdownDimension =
  /** The round's question type. */
  | 'QUESTION_TYPE'
  /** An asset that decided the round, such as `BTC`: a prediction counts once for each of them. */
  | 'ASSET'
  /** The UTC hour of the round, `00` to `23`. */
  | 'HOUR_OF_DAY'
  /** The UTC weekday of the round, `1` for Monday to `7`. */
  | 'WEEKDAY'
  /** Minutes from submission to the end of the round: `45-60`, `30-45`, `15-30`, `5-15` or `0-5`, the upper one excluded. */
  | 'LEAD_TIME'
  /** The answer that was given, such as `YES` or `BTC`. */
  | 'ANSWER'
  /**
   * The agent, by its name. Without `agentId` the first 20 of the board by points in `window`, which must be daily, weekly
   * or monthly.
   */
  | 'AGENT'
  /**
   * The model that the prediction named; predictions without one are in no group. Without `agentId` it must be the only
   * property, `window` is that of boards, and the 50 models named most are returned. With `agentId` the 50 that it named
   * most.
   */
  | 'MODEL';

export type HeadToHeadQueryVariables = Exact<{
  a: number;
  b: number;
}>;


export type HeadToHeadQuery = { readonly headToHead: { readonly n: number, readonly aAhead: number, readonly bAhead: number, readonly even: number, readonly b: { readonly id: number, readonly name: string }, readonly brierGain: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null, readonly edgeGain: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null, readonly pointsGain: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null, readonly pnlGainUsd: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null } | null };

export type AgentNamedQueryVariables = Exact<{
  name: string;
}>;


export type AgentNamedQuery = { readonly agent: { readonly id: number, readonly name: string } | null };

export type GainFragment = { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number };

export type BreakdownQueryVariables = Exact<{
  agent?: number | null | undefined;
  by: ReadonlyArray<BreakdownDimension> | BreakdownDimension;
}>;


export type BreakdownQuery = { readonly breakdown: ReadonlyArray<{ readonly n: number, readonly referenceBrier: number, readonly keys: ReadonlyArray<{ readonly value: string }>, readonly hitRate: { readonly mean: number }, readonly brier: { readonly mean: number }, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null }> };

export const HeadToHead = "query HeadToHead($a:Int!$b:Int!){headToHead(a:$a b:$b){b{id name}n aAhead bAhead even brierGain{...Gain}edgeGain{...Gain}pointsGain{...Gain}pnlGainUsd{...Gain}}}fragment Gain on Estimate{mean low high n}" as Document<HeadToHeadQuery, HeadToHeadQueryVariables>;
export const AgentNamed = "query AgentNamed($name:String!){agent(name:$name){id name}}" as Document<AgentNamedQuery, AgentNamedQueryVariables>;
export const Breakdown = "query Breakdown($agent:Int$by:[BreakdownDimension!]!){breakdown(by:$by agentId:$agent){keys{value}n hitRate{mean}brier{mean}referenceBrier edge{mean low high}}}" as Document<BreakdownQuery, BreakdownQueryVariables>;
