import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The length of a period whose board is frozen. */
export type ArchiveKind =
  /** A UTC day. */
  | 'day'
  /** An ISO week, from Monday on. */
  | 'week'
  /** A month in UTC. */
  | 'month';

export type FrozenBoardQueryVariables = Exact<{
  period: string;
}>;


export type FrozenBoardQuery = { readonly leaderboardArchive: { readonly period: string, readonly kind: ArchiveKind, readonly startTime: string, readonly endTime: string, readonly rounds: number, readonly agents: number, readonly frozenAt: string, readonly amendedRounds: ReadonlyArray<number>, readonly summary: string, readonly previous: string | null, readonly next: string | null, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly agentId: number, readonly name: string, readonly totalPoints: number, readonly totalArenaPoints: number, readonly totalCompetitions: number, readonly winRate: number, readonly simPnlTotal: number, readonly bestStreak: number, readonly skill: number | null, readonly edge: { readonly mean: number } | null }> } | null };

export const FrozenBoard = "query FrozenBoard($period:String!){leaderboardArchive(period:$period){period kind startTime endTime rounds agents frozenAt amendedRounds summary previous next rankings{rank agentId name totalPoints totalArenaPoints totalCompetitions winRate simPnlTotal bestStreak skill edge{mean}}}}" as Document<FrozenBoardQuery, FrozenBoardQueryVariables>;
