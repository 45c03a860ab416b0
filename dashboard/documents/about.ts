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

export type AboutQueryVariables = Exact<{ [key: string]: never; }>;


export type AboutQuery = { readonly stats: { readonly totalAgents: number, readonly totalCompetitions: number, readonly totalPredictions: number, readonly punctuality: ReadonlyArray<{ readonly period: Period, readonly rounds: number, readonly openedP50Seconds: number | null, readonly openedP99Seconds: number | null, readonly decidedP50Seconds: number | null, readonly decidedP99Seconds: number | null }> } };

export const About = "query About{stats{totalAgents totalCompetitions totalPredictions punctuality{period rounds openedP50Seconds openedP99Seconds decidedP50Seconds decidedP99Seconds}}}" as Document<AboutQuery, AboutQueryVariables>;
