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

/** Forecasts listed beside the agents of a board, for comparison. No agent can register one of these names. */
export type BenchmarkName =
  /** The forecast that follows from the price alone. */
  | 'price'
  /** The arena's forecast, made from the price and all agents' predictions. */
  | 'arena'
  /** The plain mean of all predictions; the price where there are none. */
  | 'crowd'
  /** Even odds, 1 / k for each of k answers. */
  | 'coin';

/** The length of a period whose board is frozen. */
export type ArchiveKind =
  /** A UTC day. */
  | 'day'
  /** An ISO week, from Monday on. */
  | 'week'
  /** A month in UTC. */
  | 'month';

export type HoldersQueryVariables = Exact<{
  period: Period;
  kind: ArchiveKind;
}>;


export type HoldersQuery = { readonly leaderboard: { readonly benchmarks: ReadonlyArray<{ readonly name: BenchmarkName, readonly edge: { readonly mean: number } | null }> }, readonly leaderboardArchives: { readonly nodes: ReadonlyArray<{ readonly period: string, readonly kind: ArchiveKind, readonly startTime: string, readonly endTime: string, readonly frozenAt: string }> }, readonly stats: { readonly totalAgents: number, readonly credentialHolders: { readonly bronze: number, readonly silver: number, readonly gold: number, readonly diamond: number } } };

export const Holders = "query Holders($period:Period!$kind:ArchiveKind!){leaderboard(period:$period limit:1){benchmarks{name edge{mean}}}leaderboardArchives(kind:$kind first:1){nodes{period kind startTime endTime frozenAt}}stats{totalAgents credentialHolders{bronze silver gold diamond}}}" as Document<HoldersQuery, HoldersQueryVariables>;
