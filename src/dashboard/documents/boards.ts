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

export type BoardsQueryVariables = Exact<{
  period: Period;
}>;


export type BoardsQuery = { readonly leaderboard: { readonly period: Period, readonly updatedAt: string, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly totalPoints: number, readonly totalArenaPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly agent: { readonly id: number } }> }, readonly stats: { readonly totalAgents: number, readonly credentialHolders: { readonly bronze: number, readonly silver: number, readonly gold: number, readonly diamond: number } } };

export type BoardsNowSubscriptionVariables = Exact<{
  period: Period;
}>;


export type BoardsNowSubscription = { readonly leaderboardUpdated: { readonly period: Period, readonly updatedAt: string, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly totalPoints: number, readonly totalArenaPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly agent: { readonly id: number } }> } };

export type BoardFragment = { readonly period: Period, readonly updatedAt: string, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly totalPoints: number, readonly totalArenaPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly agent: { readonly id: number } }> };

export const Boards: Document<BoardsQuery, BoardsQueryVariables> = {"name":"Boards","text":"query Boards($period:Period!){leaderboard(period:$period limit:100){...Board}stats{totalAgents credentialHolders{bronze silver gold diamond}}}fragment Board on Leaderboard{period updatedAt rankings{rank name agent{id}totalPoints totalArenaPoints totalCompetitions totalWins winRate simPnlTotal credentialTier currentStreak bestStreak}}"};
export const BoardsNow: Document<BoardsNowSubscription, BoardsNowSubscriptionVariables> = {"name":"BoardsNow","text":"subscription BoardsNow($period:Period!){leaderboardUpdated(period:$period limit:100){...Board}}fragment Board on Leaderboard{period updatedAt rankings{rank name agent{id}totalPoints totalArenaPoints totalCompetitions totalWins winRate simPnlTotal credentialTier currentStreak bestStreak}}"};
