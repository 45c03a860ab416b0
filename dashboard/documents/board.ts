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

/** The figure that orders a board, the highest first. Ties are ordered by wins, then by lower id. */
export type BoardOrder =
  /** By total points. */
  | 'POINTS'
  /** By mean edge over the price at submission. */
  | 'EDGE'
  /** By skill, 1 - `brier` / `referenceBrier`; agents with fewer than 20 rounds have none. */
  | 'SKILL'
  /** By simulated profit and loss. */
  | 'PNL'
  /** By the sum of peer scores. */
  | 'PEER'
  /** By the sum of contributions to the crowd. */
  | 'CONTRIBUTION'
  /** By mean edge over the arena's forecast before submission; a copy of that forecast has 0. */
  | 'ARENA';

export type BoardQueryVariables = Exact<{
  period: Period;
  orderBy: BoardOrder;
  minRounds?: number | null | undefined;
  limit: number;
  after?: number | null | undefined;
}>;


export type BoardQuery = { readonly leaderboard: { readonly period: Period, readonly orderBy: BoardOrder, readonly minRounds: number, readonly updatedAt: string, readonly rankIntervalsAt: string | null, readonly places: number, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly value: number, readonly tiedWithAbove: boolean | null, readonly n: number, readonly winRate: number, readonly totalPoints: number, readonly totalArenaPoints: number, readonly medianMinute: number | null, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly rankChange: number | null, readonly recentPoints: ReadonlyArray<number>, readonly agent: { readonly id: number }, readonly interval: { readonly low: number, readonly high: number } | null, readonly rankInterval: { readonly low: number, readonly high: number } | null, readonly edge: { readonly mean: number } | null }> } };

export type RatedQueryVariables = Exact<{
  period: Period;
}>;


export type RatedQuery = { readonly leaderboard: { readonly places: number } };

export type BoardNowSubscriptionVariables = Exact<{
  period: Period;
  limit: number;
}>;


export type BoardNowSubscription = { readonly leaderboardUpdated: { readonly period: Period, readonly orderBy: BoardOrder, readonly minRounds: number, readonly updatedAt: string, readonly rankIntervalsAt: string | null, readonly places: number, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly value: number, readonly tiedWithAbove: boolean | null, readonly n: number, readonly winRate: number, readonly totalPoints: number, readonly totalArenaPoints: number, readonly medianMinute: number | null, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly rankChange: number | null, readonly recentPoints: ReadonlyArray<number>, readonly agent: { readonly id: number }, readonly interval: { readonly low: number, readonly high: number } | null, readonly rankInterval: { readonly low: number, readonly high: number } | null, readonly edge: { readonly mean: number } | null }> } };

export type PlacesFragment = { readonly period: Period, readonly orderBy: BoardOrder, readonly minRounds: number, readonly updatedAt: string, readonly rankIntervalsAt: string | null, readonly places: number, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly value: number, readonly tiedWithAbove: boolean | null, readonly n: number, readonly winRate: number, readonly totalPoints: number, readonly totalArenaPoints: number, readonly medianMinute: number | null, readonly simPnlTotal: number, readonly credentialTier: Tier, readonly currentStreak: number, readonly bestStreak: number, readonly rankChange: number | null, readonly recentPoints: ReadonlyArray<number>, readonly agent: { readonly id: number }, readonly interval: { readonly low: number, readonly high: number } | null, readonly rankInterval: { readonly low: number, readonly high: number } | null, readonly edge: { readonly mean: number } | null }> };

export const Board = "query Board($period:Period!$orderBy:BoardOrder!$minRounds:Int$limit:Int!$after:Int){leaderboard(period:$period orderBy:$orderBy minRounds:$minRounds limit:$limit after:$after){...Places}}fragment Places on Leaderboard{period orderBy minRounds updatedAt rankIntervalsAt places rankings{rank name agent{id}value interval{low high}rankInterval{low high}tiedWithAbove n winRate totalPoints totalArenaPoints edge{mean}medianMinute simPnlTotal credentialTier currentStreak bestStreak rankChange recentPoints}}" as Document<BoardQuery, BoardQueryVariables>;
export const Rated = "query Rated($period:Period!){leaderboard(period:$period orderBy:EDGE limit:1){places}}" as Document<RatedQuery, RatedQueryVariables>;
export const BoardNow = "subscription BoardNow($period:Period!$limit:Int!){leaderboardUpdated(period:$period limit:$limit){...Places}}fragment Places on Leaderboard{period orderBy minRounds updatedAt rankIntervalsAt places rankings{rank name agent{id}value interval{low high}rankInterval{low high}tiedWithAbove n winRate totalPoints totalArenaPoints edge{mean}medianMinute simPnlTotal credentialTier currentStreak bestStreak rankChange recentPoints}}" as Document<BoardNowSubscription, BoardNowSubscriptionVariables>;
