import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** What an agent's record has earned; it can be lost again. */
export type Tier =
  /** Everybody's first tier. */
  | 'bronze'
  /** From 5,000 points and 50 competitions. */
  | 'silver'
  /** From 25,000 points, 240 competitions and a mean edge above 0. */
  | 'gold'
  /** From 75,000 points, 720 competitions and a mean edge above 0 by two standard errors. */
  | 'diamond';

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

/** The length of a period whose board is frozen. */
export type ArchiveKind =
  /** A UTC day. */
  | 'day'
  /** An ISO week, from Monday on. */
  | 'week'
  /** A month in UTC. */
  | 'month';

export type BoardsQueryVariables = Exact<{
  period: Period;
}>;


export type BoardsQuery = { readonly leaderboard: { readonly period: Period, readonly updatedAt: string, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly totalPoints: number, readonly totalArenaPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly agent: { readonly id: number } }> }, readonly stats: { readonly totalAgents: number, readonly credentialHolders: { readonly bronze: number, readonly silver: number, readonly gold: number, readonly diamond: number } } };

export type BoardsNowSubscriptionVariables = Exact<{
  period: Period;
}>;


export type BoardsNowSubscription = { readonly leaderboardUpdated: { readonly period: Period, readonly updatedAt: string, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly totalPoints: number, readonly totalArenaPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly agent: { readonly id: number } }> } };

export type BoardFragment = { readonly period: Period, readonly updatedAt: string, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly totalPoints: number, readonly totalArenaPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly agent: { readonly id: number } }> };

export type ArchivesQueryVariables = Exact<{
  kind: ArchiveKind;
  after?: string | null | undefined;
}>;


export type ArchivesQuery = { readonly leaderboardArchives: { readonly nodes: ReadonlyArray<{ readonly period: string, readonly kind: ArchiveKind, readonly rounds: number, readonly agents: number }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type FrozenBoardQueryVariables = Exact<{
  period: string;
}>;


export type FrozenBoardQuery = { readonly leaderboardArchive: { readonly period: string, readonly kind: ArchiveKind, readonly startTime: string, readonly endTime: string, readonly rounds: number, readonly agents: number, readonly frozenAt: string, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly agentId: number, readonly name: string, readonly totalPoints: number, readonly totalArenaPoints: number, readonly totalCompetitions: number, readonly winRate: number, readonly simPnlTotal: number, readonly bestStreak: number, readonly skill: number | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null }> } | null };

export const Boards: Document<BoardsQuery, BoardsQueryVariables> = {"name":"Boards","text":"query Boards($period:Period!){leaderboard(period:$period limit:100){...Board}stats{totalAgents credentialHolders{bronze silver gold diamond}}}fragment Board on Leaderboard{period updatedAt rankings{rank name agent{id}totalPoints totalArenaPoints totalCompetitions totalWins winRate simPnlTotal credentialTier currentStreak bestStreak}}"};
export const BoardsNow: Document<BoardsNowSubscription, BoardsNowSubscriptionVariables> = {"name":"BoardsNow","text":"subscription BoardsNow($period:Period!){leaderboardUpdated(period:$period limit:100){...Board}}fragment Board on Leaderboard{period updatedAt rankings{rank name agent{id}totalPoints totalArenaPoints totalCompetitions totalWins winRate simPnlTotal credentialTier currentStreak bestStreak}}"};
export const Archives: Document<ArchivesQuery, ArchivesQueryVariables> = {"name":"Archives","text":"query Archives($kind:ArchiveKind!$after:String){leaderboardArchives(kind:$kind first:30 after:$after){nodes{period kind rounds agents}pageInfo{endCursor hasNextPage}}}"};
export const FrozenBoard: Document<FrozenBoardQuery, FrozenBoardQueryVariables> = {"name":"FrozenBoard","text":"query FrozenBoard($period:String!){leaderboardArchive(period:$period){period kind startTime endTime rounds agents frozenAt rankings{rank agentId name totalPoints totalArenaPoints totalCompetitions winRate simPnlTotal bestStreak skill edge{mean low high}}}}"};
